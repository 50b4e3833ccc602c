import { copyText } from '@daylift/ui/copy-text';
import { Button } from '@mantine/core';
import { IconCopy, IconShare2 } from '@tabler/icons-react';
import { useCatalogue } from '../../catalogue.ts';
import { announce } from '../../components/announce.ts';
import { shareImage } from './share-image.ts';
import classes from './TodaysText.module.css';

/** Copies a text, or shares it as an image. */
export const TextActions = ({ text }: { text: string }) => {
  const product = useCatalogue()?.product_name ?? 'A text';
  const copy = async () => {
    const copied = await copyText(text, null);
    announce(
      copied ? 'Copied to the clipboard' : "We couldn't copy the text.",
      copied ? 'good' : 'bad',
    );
  };
  const share = () =>
    shareImage(text, product).then(
      (done) => {
        if (done === 'saved') announce('Image saved to your downloads.', 'good');
      },
      () => announce("We couldn't make the image. Please try again.", 'bad'),
    );
  return (
    <div className={classes.actions}>
      <Button
        variant="default"
        leftSection={<IconCopy size={18} aria-hidden="true" />}
        onClick={copy}
      >
        Copy
      </Button>
      <Button
        variant="default"
        leftSection={<IconShare2 size={18} aria-hidden="true" />}
        onClick={share}
      >
        Share as Image
      </Button>
    </div>
  );
};
