import { saveFile } from '@daylift/ui/save-file';

const size = 1080;
const margin = 110;
const font = (pixels: number, weight: number) =>
  `${weight} ${pixels}px "Nunito Variable", system-ui, sans-serif`;

/** Breaks text into lines no wider than `width`; a longer word gets its own line. */
export const wrapLines = (
  text: string,
  width: number,
  measure: (line: string) => number,
): string[] =>
  text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [];
    let line = '';
    for (const word of paragraph.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (line !== '' && measure(longer) > width) {
        lines.push(line);
        line = word;
      } else line = longer;
    }
    return [...lines, line];
  });

const paintSky = (paint: CanvasRenderingContext2D): void => {
  const sky = paint.createLinearGradient(0, 0, 0, size);
  sky.addColorStop(0, '#e4f1fd');
  sky.addColorStop(0.6, '#fdf1e4');
  sky.addColorStop(1, '#ffd79a');
  paint.fillStyle = sky;
  paint.fillRect(0, 0, size, size);
  paint.fillStyle = '#ffc069';
  paint.beginPath();
  paint.arc(size / 2, size + 40, 190, 0, 2 * Math.PI);
  paint.fill();
};

/** Paints the text in the largest size that fits. */
const paintText = (paint: CanvasRenderingContext2D, text: string): void => {
  const room = size - 420;
  let pixels = 88;
  let lines: string[];
  do {
    pixels -= 4;
    paint.font = font(pixels, 800);
    lines = wrapLines(text, size - 2 * margin, (line) => paint.measureText(line).width);
  } while (pixels > 28 && lines.length * pixels * 1.3 > room);
  paint.fillStyle = '#1b2a4e';
  paint.textBaseline = 'middle';
  const height = pixels * 1.3;
  const top = margin + (room - lines.length * height) / 2 + height / 2;
  for (const [at, line] of lines.entries()) paint.fillText(line, margin, top + at * height);
};

const drawImage = async (text: string, product: string): Promise<Blob> => {
  const canvas = document.createElement('canvas');
  canvas.width = size;
  canvas.height = size;
  const paint = canvas.getContext('2d');
  if (paint === null) throw new Error('no canvas');
  paintSky(paint);
  paintText(paint, text);
  paint.font = font(40, 900);
  paint.textAlign = 'center';
  paint.fillText(product, size / 2, size - 210);
  const { promise, resolve } = Promise.withResolvers<Blob | null>();
  canvas.toBlob(resolve, 'image/png');
  const image = await promise;
  if (image === null) throw new Error('no image');
  return image;
};

/** Shares a text as an image, or saves the image where the browser can't share files. */
export const shareImage = async (text: string, product: string): Promise<'shared' | 'saved'> => {
  const name = `${product.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.png`;
  const image = await drawImage(text, product);
  const files = [new File([image], name, { type: 'image/png' })];
  if (!navigator.canShare?.({ files })) {
    saveFile(image, name);
    return 'saved';
  }
  await navigator.share({ files }).catch((error: unknown) => {
    // The share sheet was dismissed.
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
  });
  return 'shared';
};
