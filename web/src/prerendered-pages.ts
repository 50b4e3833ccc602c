import { defaultPlan, planNamed } from '@daylift/contracts/plans';
import { paths } from './paths.ts';

interface PrerenderedPage {
  path: string;
  status: number;
  description: string;
  modules: readonly string[];
}

const entry = 'index.html';
const app = [entry, 'src/App.tsx'];
const form = [...app, 'src/layouts/InteractiveLayout.tsx'];
const page = (path: string, modules: readonly string[], description: string): PrerenderedPage => ({
  path,
  status: 200,
  description,
  modules,
});

/** Pages that are the same for every visitor, so the server prerenders them. */
const prerenderedPages: readonly PrerenderedPage[] = [
  page(
    paths.home,
    [entry],
    'One short, kind text message at the hour you choose, every day or every week. No app, no feed. Start with a free trial and cancel anytime.',
  ),
  page(
    paths.signup,
    [...form, 'src/features/signup/SignupPage.tsx'],
    'Choose your hour and start your free trial: the first kind text arrives tomorrow. Nothing is due today, and you can cancel anytime.',
  ),
  page(
    paths.login,
    [...form, 'src/features/session/LoginPage.tsx'],
    'Sign in with your email or phone number to see your texts, or change your hour or plan.',
  ),
  page(
    paths.contact,
    [...form, 'src/pages/ContactPage.tsx'],
    "Write to us: a real person reads every message, and you'll hear back within 24 hours.",
  ),
  page(
    paths.privacy,
    [...app, 'src/pages/PrivacyPage.tsx'],
    'What we keep about you, why, for how long, and how to see or erase it.',
  ),
  page(
    paths.terms,
    [...app, 'src/pages/TermsPage.tsx'],
    'What you get, what it costs, how the trial works and how to cancel.',
  ),
];

/** One "not found" page serves all unknown URLs. */
const notFoundPage: PrerenderedPage = {
  path: '/404',
  status: 404,
  description: "This page doesn't exist.",
  modules: app,
};

/** Pages that depend on the user, rendered in the browser only. */
const clientPages: readonly string[] = [
  paths.dashboard,
  paths.upgrade,
  paths.success,
  paths.confirmEmail,
  paths.revertChange,
  paths.cancelPlan,
  paths.keepPrice,
  paths.gift,
  paths.redeem,
  paths.goodbye,
];

/** URLs for the sitemap. */
export const sitemapPaths = prerenderedPages.map(({ path }) => path);

/** Returns the prerendered URL for this URL, or null if only the browser can render it. */
export const prerenderKey = (requested: string, search: string): string | null => {
  const path = requested.toLowerCase().replace(/\/+$/, '') || paths.home;
  if (clientPages.includes(path)) return null;
  if (!sitemapPaths.includes(path)) return notFoundPage.path;
  if (path !== paths.signup) return path;
  const query = new URLSearchParams(search);
  const shown = new URLSearchParams();
  const plan = planNamed(query.get('plan'));
  if (plan !== defaultPlan) shown.set('plan', plan);
  if (query.get('ref')?.trim()) shown.set('ref', 'a-friend');
  return shown.size === 0 ? path : `${path}?${shown}`;
};

export const describePage = (address: string): PrerenderedPage => {
  const path = address.split('?')[0];
  return prerenderedPages.find((one) => one.path === path) ?? notFoundPage;
};
