import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import classes from './HeroScenes.module.css';
import { sceneTexts } from './library-texts.ts';
import hillsDark from './scenes/hills-dark.svg';
import hillsLight from './scenes/hills-light.svg';
import lakeDark from './scenes/lake-dark.svg';
import lakeLight from './scenes/lake-light.svg';
import windowDark from './scenes/window-dark.svg';
import windowLight from './scenes/window-light.svg';

const rotationMs = 5000;

const scenes = [
  {
    light: hillsLight,
    dark: hillsDark,
    alt: 'The sun rising behind soft blue hills, a path leading toward it',
    text: sceneTexts[0],
  },
  {
    light: windowLight,
    dark: windowDark,
    alt: 'A steaming mug, a phone and a plant on a window sill at sunrise',
    text: sceneTexts[1],
  },
  {
    light: lakeLight,
    dark: lakeDark,
    alt: 'A rower on a still lake at dawn with mountains behind',
    text: sceneTexts[2],
  },
] as const;

const stillness = '(prefers-reduced-motion: reduce)';
const prefersStillness = () => window.matchMedia(stillness).matches;
const watchStillness = (onChange: () => void) => {
  const query = window.matchMedia(stillness);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
};

const neverChanges = () => () => undefined;

/** Returns how long the page was visible before the component mounted: 0 unless it is being hydrated. */
const useShownMs = (): number => {
  const hydrating = useSyncExternalStore(
    neverChanges,
    () => false,
    () => true,
  );
  const [shownMs] = useState(() => {
    if (!hydrating) return 0;
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    return performance.now() - (paint?.startTime ?? 0);
  });
  return shownMs;
};

/**
 * The current scene. Rotates every 5 s from the moment the page shows, except on hover, on focus, when paused or with
 * reduced motion.
 */
const useRotation = () => {
  const [index, setIndex] = useState(0);
  const [chosen, setPlaying] = useState<boolean | null>(null);
  const [queued, setHeld] = useState(false);
  const still = useSyncExternalStore(watchStillness, prefersStillness, () => false);
  const playing = chosen ?? !still;
  const untilFirst = useRef(Math.max(0, rotationMs - useShownMs()));
  useEffect(() => {
    if (!playing || queued) return;
    let timer: ReturnType<typeof setTimeout>;
    const next = () => {
      setIndex((now) => (now + 1) % scenes.length);
      timer = setTimeout(next, rotationMs);
    };
    timer = setTimeout(next, untilFirst.current);
    return () => {
      clearTimeout(timer);
      untilFirst.current = rotationMs;
    };
  }, [playing, queued]);
  return { index, setIndex, playing, setPlaying, setHeld };
};

export const HeroScenes = () => {
  const { index, setIndex, playing, setPlaying, setHeld } = useRotation();
  return (
    <section
      className={classes.frame}
      aria-label="Morning scenes"
      aria-roledescription="carousel"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div className={classes.pictures}>
        {scenes.map((scene, at) => (
          <figure
            key={scene.alt}
            className={classes.scene}
            data-shown={at === index}
            aria-hidden={at !== index}
          >
            <img
              className={classes.light}
              src={scene.light}
              alt={scene.alt}
              width="1000"
              height="1000"
              loading={at === 0 ? 'eager' : 'lazy'}
            />
            <img
              className={classes.dark}
              src={scene.dark}
              alt={scene.alt}
              width="1000"
              height="1000"
              loading="lazy"
            />
            <figcaption className={classes.bubble}>{scene.text}</figcaption>
          </figure>
        ))}
      </div>
      <div className={classes.controls}>
        <button
          type="button"
          className={classes.control}
          aria-label={playing ? 'Pause the pictures' : 'Play the pictures'}
          onClick={() => setPlaying(!playing)}
        >
          <svg width="18" height="18" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
            <path d={playing ? 'M7 5h3.500v14H7zM13.500 5H17v14h-3.500z' : 'M8 5l11 7-11 7z'} />
          </svg>
        </button>
        {scenes.map((scene, at) => (
          <button
            key={scene.alt}
            type="button"
            className={classes.control}
            aria-label={`Show picture ${at + 1} of ${scenes.length}`}
            aria-current={at === index}
            onClick={() => setIndex(at)}
          >
            <span className={classes.dot} />
          </button>
        ))}
      </div>
    </section>
  );
};
