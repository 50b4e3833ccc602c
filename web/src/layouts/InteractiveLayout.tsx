import './interactive.css';
import { UiProvider } from '@daylift/ui/UiProvider';
import { Outlet } from 'react-router';

/** Forms and the dashboard: here the component library begins. */
export const InteractiveLayout = () => (
  <UiProvider>
    <Outlet />
  </UiProvider>
);
