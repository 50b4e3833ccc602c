import { trialLabel, useCatalogue } from '../../catalogue.ts';
import { LinkButton } from '../../components/LinkButton.tsx';
import { paths } from '../../paths.ts';
import { CommunityCounter } from './CommunityCounter.tsx';
import classes from './Hero.module.css';
import { HeroScenes } from './HeroScenes.tsx';

export const Hero = () => {
  const catalogue = useCatalogue();
  return (
    <section className={classes.hero}>
      <div className={classes.inner}>
        <div className={classes.words}>
          <CommunityCounter />
          <h1 className={classes.title}>
            A kind word,
            <br />
            before the day begins.
          </h1>
          <p className={classes.lead}>
            One short text at the hour you choose. No app to open, no feed to scroll. Just a small
            lift on the phone you already hold.
          </p>
          <div className={classes.actions}>
            <LinkButton look="call" size="large" href={paths.signup} className={classes.call}>
              {trialLabel(catalogue)}
            </LinkButton>
            <LinkButton look="quiet" size="large" href="#benefits">
              Learn More
            </LinkButton>
          </div>
          <p className={classes.below}>
            <a href="#pricing">See How It Works</a>
            <span>Cancel anytime, or reply STOP</span>
          </p>
        </div>
        <HeroScenes />
      </div>
    </section>
  );
};
