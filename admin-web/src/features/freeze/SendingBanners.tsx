import { describeError } from '@daylift/api-client/operators-errors';
import { useRefresh } from '@daylift/api-client/queries';
import { useAction } from '@daylift/api-client/use-action';
import type { FreezeState, ProviderPause } from '@daylift/contracts/freeze.http';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { call } from '../../api.ts';
import { notifyDone } from '../../components/notify.ts';
import { PageBanner } from '../../components/PageBanner.tsx';
import { Time } from '../../components/Time.tsx';
import { useRequestedAction } from '../../components/use-requested-action.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../session/use-admin.ts';
import { freezeQuery } from '../../shared.queries.ts';
import { LiftDialog } from './LiftDialog.tsx';
import { boundedCount, texts } from './words.ts';

const figures = (state: FreezeState): string =>
  [
    `${texts(state.in_flight)} with the provider`,
    `${boundedCount(state.queued)} waiting (${boundedCount(state.due_meanwhile)} since the freeze)`,
    `${boundedCount(state.missed_meanwhile)} missed`,
    ...(state.unknown > 0 ? [`${boundedCount(state.unknown)} with unknown outcome`] : []),
  ].join(' · ');

const FrozenBanner = ({ state }: { state: FreezeState }) => {
  const may = useMay('operator');
  const [confirming, setConfirming] = useState(false);
  useRequestedAction({ resume: () => setConfirming(true) });
  return (
    <PageBanner
      id="frozen"
      tone="red"
      title="Sending is frozen"
      summary={state.reason}
      action={
        may ? (
          <Button color="red" h={44} onClick={() => setConfirming(true)}>
            Resume sending…
          </Button>
        ) : (
          <span>An operator can resume it.</span>
        )
      }
    >
      <p>
        Since <Time at={state.since ?? ''} />, by {state.by}.
      </p>
      <p>
        {figures(state)} · <Link to={paths.undelivered}>Undelivered texts</Link>
      </p>
      <LiftDialog opened={confirming} state={state} onClose={() => setConfirming(false)} />
    </PageBanner>
  );
};

const titles: Record<ProviderPause['kind'], string> = {
  refuses: 'The provider is rejecting all texts',
  down: 'The provider is down',
};

const codeInWords = (code: string): string => {
  if (code.startsWith('provider_')) return ` (code ${code.slice('provider_'.length)})`;
  return code.startsWith('http_') ? ` (HTTP ${code.slice('http_'.length)})` : '';
};

const whyNotTry = (may: boolean, frozen: boolean): string | undefined => {
  if (!may) return 'Only operators and owners can do this.';
  return frozen ? 'Resume sending first.' : undefined;
};

const ProviderBanner = ({ pause, frozen }: { pause: ProviderPause; frozen: boolean }) => {
  const may = useMay('operator');
  const refresh = useRefresh('freeze');
  const trying = useAction({
    mutationFn: () => call('POST /admin/send-pause/try'),
    onSuccess: async ({ result }) => {
      if (result === 'works')
        notifyDone('The provider is accepting texts again. Waiting texts are going out now.');
      await refresh();
    },
  });
  return (
    <PageBanner
      id="provider"
      tone="red"
      title={`${titles[pause.kind]}: ${pause.problem}`}
      action={
        <Button
          color="red"
          h={44}
          loading={trying.isPending}
          disabled={!may || frozen}
          title={whyNotTry(may, frozen)}
          onClick={() => trying.mutate()}
        >
          Retry now
        </Button>
      }
    >
      <p>
        Since <Time at={pause.since} />
        {codeInWords(pause.code)}. What to do: {pause.advice}
      </p>
      {frozen ? (
        <p>When you resume, one text goes first as a test.</p>
      ) : (
        <p>
          Texts are waiting. Next retry: <Time at={pause.next_try_at} />. Once it succeeds, all
          texts that are still on time go out automatically. To choose when they go out, freeze
          sending before you fix the problem. <Link to={paths.undelivered}>Undelivered texts</Link>
        </p>
      )}
      <p role="status">
        {trying.data?.result === 'refused'
          ? `Retried: the provider is still ${pause.kind === 'down' ? 'down' : 'rejecting texts'}.`
          : ''}
        {trying.data?.result === 'nothing_to_try' ? "There's no waiting text to test with." : ''}
        {trying.isError ? describeError('try provider', trying.error) : ''}
      </p>
    </PageBanner>
  );
};

/** Moves focus to the page when the banner that had it disappears. */
const useFocusBelow = (shown: boolean) => {
  const before = useRef(shown);
  useEffect(() => {
    if (before.current && !shown && document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true });
    before.current = shown;
  }, [shown]);
};

/** Freeze and provider banners, shown on every page. */
export const SendingBanners = () => {
  const { data, isError } = useQuery(freezeQuery);
  useFocusBelow(data?.frozen ?? false);
  return (
    <>
      {data?.frozen ? <FrozenBanner state={data} /> : null}
      {data?.provider ? <ProviderBanner pause={data.provider} frozen={data.frozen} /> : null}
      {isError && (data?.frozen || data?.provider) ? (
        <p role="alert">Couldn't refresh these numbers. They may be out of date.</p>
      ) : null}
    </>
  );
};
