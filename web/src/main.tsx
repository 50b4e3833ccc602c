import '@fontsource-variable/nunito/wght.css';
import '@daylift/ui/base.css';
import { startColorScheme } from '@daylift/ui/color-scheme';
import { createRoot } from 'react-dom/client';
import { LandingApp } from './LandingApp.tsx';
import { paths } from './paths.ts';

startColorScheme();
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

// The landing page stands in this first file; everything else, with the router, comes as a second.
if (window.location.pathname === paths.home) createRoot(root).render(<LandingApp />);
else import('./App.tsx').then(({ App }) => createRoot(root).render(<App />));
