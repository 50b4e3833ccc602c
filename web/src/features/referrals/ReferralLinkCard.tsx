import type { Me } from '@daylift/contracts/accounts.http';
import { CopyField } from '@daylift/ui/CopyField';
import { Button } from '@mantine/core';
import { IconGift } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Ref } from 'react';
import { useCatalogue } from '../../catalogue.ts';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { LinkButton } from '../../components/LinkButton.tsx';
import { useFocusBack } from '../../components/use-focus-back.ts';
import { invitation, promotionOf, shareByEmail, shareBySms } from './promotion.ts';
import classes from './ReferralLinkCard.module.css';
import { referralFiguresQuery, useGenerateReferral } from './referrals.queries.ts';

const Generate = () => {
  const generate = useGenerateReferral();
  return (
    <div className={classes.generate}>
      <ActionFailure action="generate referral code" error={generate.error} />
      <Button color="dawn" loading={generate.isPending} onClick={() => generate.mutate()}>
        Generate My Referral Code
      </Button>
    </div>
  );
};

const Share = ({
  code,
  link,
  firstButton,
}: {
  code: string;
  link: string;
  firstButton: Ref<HTMLButtonElement>;
}) => {
  const product = useCatalogue()?.product_name ?? 'this service';
  const words = invitation(product, link);
  return (
    <>
      <CopyField ref={firstButton} label="Your referral code" value={code} />
      <CopyField label="Your referral link" value={link} />
      <div className={classes.share}>
        <LinkButton href={shareBySms(words)}>Share by SMS</LinkButton>
        <LinkButton href={shareByEmail(`Something good for your mornings: ${product}`, words)}>
          Share by Email
        </LinkButton>
      </div>
    </>
  );
};

export const ReferralLinkCard = ({ user }: { user: Me }) => {
  const figures = useQuery(referralFiguresQuery).data;
  const catalogue = useCatalogue(figures?.currency);
  // The "Generate" button is gone, so focus the code.
  const firstButton = useFocusBack(user.referral_code === null);
  return (
    <section className={classes.card} aria-labelledby="referral-promotion">
      <IconGift className={classes.picture} size={40} stroke={1.6} aria-hidden="true" />
      <h2 id="referral-promotion" className={classes.title}>
        Get 1 Week Free!
      </h2>
      <p className={classes.promotion}>
        {figures && catalogue ? promotionOf(catalogue) : '\u00a0'}
      </p>
      {user.referral_code !== null && user.referral_url !== null ? (
        <Share code={user.referral_code} link={user.referral_url} firstButton={firstButton} />
      ) : (
        <Generate />
      )}
    </section>
  );
};
