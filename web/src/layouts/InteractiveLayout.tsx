import './interactive.css';
import { UiProvider } from '@daylift/ui/UiProvider';
import { Outlet } from 'react-router';

/** Layout of pages that use Mantine. */
export const InteractiveLayout = () => (
  <UiProvider>
    <Outlet />
  </UiProvider>
);
