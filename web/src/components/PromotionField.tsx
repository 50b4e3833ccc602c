import { ApiError } from '@daylift/api-client/request';
import type { Currency } from '@daylift/contracts/plans';
import type { PromotionOffer } from '@daylift/contracts/promotions.http';
import { Button, TextInput } from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { call } from '../api.ts';
import type { PlanChoice } from '../paths.ts';
import { createBrowserStorage } from './browser-storage.ts';
import classes from './PromotionField.module.css';

/** The code of the visit, from a link or typed. Unless it was rejected, it's sent to the checkout, which checks it too. */
const typedCode = createBrowserStorage('tab', 'promotion_code');
const usableCode = createBrowserStorage('tab', 'usable_promotion_code');

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns the code for the checkout's request. */
export const usablePromotion = (): { promotion_code?: string } => {
  const code = textOf(usableCode.read());
  return code === '' ? {} : { promotion_code: code };
};

/** Returns the code from the visit's link or field, or an empty string. */
export const visitPromotion = (): string => textOf(typedCode.read());

export const forgetPromotion = (): void => {
  typedCode.remove();
  usableCode.remove();
};

const keepCode = (code: string): void => {
  if (code === '') {
    forgetPromotion();
    return;
  }
  typedCode.write(code);
  usableCode.write(code);
};

const isRefusal = (error: Error | null): error is ApiError =>
  error instanceof ApiError && error.code.startsWith('PROMOTION_');

/** The visit's promotion code, from the page's URL at first, and the price that it gives. */
export const usePromotion = (
  linked: string | null,
  plan: PlanChoice,
  /** The account that would use it, once there is one. */
  signup: string | undefined,

  currency?: Currency,
) => {
  const [code, setCode] = useState('');
  useEffect(() => {
    if (linked !== null && linked !== typedCode.read()) keepCode(linked);
    setCode(linked ?? textOf(typedCode.read()));
  }, [linked]);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['promotion', code, plan, signup ?? null, currency ?? null],
    queryFn:
      code === ''
        ? skipToken
        : ({ signal }) =>
            call('GET /promotions/:code', {
              params: { code },
              query: {
                plan,
                ...(signup && { subscription_id: signup }),
                ...(currency && { currency }),
              },
              signal,
            }),
    retry: false,
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
  const offer = error ? undefined : data;
  useEffect(() => {
    // Another one is being typed.
    if (typedCode.read() !== code) return;
    if (isRefusal(error)) usableCode.remove();
    else if (offer) usableCode.write(code);
  }, [code, offer, error]);
  return {
    code,
    offer,
    error,
    busy: isFetching,
    /** Checks the code that the checkout rejected, also one that was typed but not applied. */
    check: () => {
      const typed = textOf(typedCode.read());
      if (typed !== code) setCode(typed);
      else if (code !== '') void refetch();
    },
    apply: (next: string) => {
      keepCode(next);
      setCode(next);
    },
  };
};

export type VisitPromotion = ReturnType<typeof usePromotion>;

const refusalOf = (error: Error | null): string | null => {
  if (error === null) return null;
  return isRefusal(error)
    ? error.detail
    : "We couldn't check this code. Try again, or continue without it.";
};

const codeIn = (typed: string): string => typed.trim().toUpperCase().slice(0, 60);

const priceOf = ({ trial_days, price }: PromotionOffer): string =>
  trial_days > 0 ? `${trial_days} days free, then ${price}.` : `${price}.`;

/** Lets a visitor enter a promotion code, and shows its price or why it can't be used. */
export const PromotionField = ({ promotion }: { promotion: VisitPromotion }) => {
  const { code, offer, error, busy, apply } = promotion;
  const [typed, setTyped] = useState('');
  useEffect(() => setTyped(code), [code]);
  const submit = () => apply(codeIn(typed));
  // It may be beside a form, which Enter must not submit.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    submit();
  };
  const isApplied = code !== '' && typed === code;
  return (
    <div className={classes.promotion}>
      <TextInput
        label="Promotion code"
        name="promo"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={60}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          keepCode(codeIn(event.currentTarget.value));
        }}
        onKeyDown={onKeyDown}
        error={isApplied ? refusalOf(error) : null}
        errorProps={{ role: 'alert' }}
      />
      <Button
        variant="default"
        loading={busy}
        onClick={isApplied ? () => apply('') : submit}
        disabled={typed.trim() === '' && code === ''}
        aria-label={isApplied ? 'Remove the promotion code' : 'Apply the promotion code'}
      >
        {isApplied ? 'Remove' : 'Apply'}
      </Button>
      <p className={classes.price} role="status">
        {offer && isApplied ? `${offer.code}: ${priceOf(offer)}` : ''}
      </p>
    </div>
  );
};
