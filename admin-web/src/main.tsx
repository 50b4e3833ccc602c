import '@fontsource-variable/nunito/wght.css';
import './styles.css';
import { startColorScheme } from '@daylift/ui/color-scheme';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';

startColorScheme();
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(<App />);
