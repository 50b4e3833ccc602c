import './interactive.css';
import { describeError } from '@daylift/api-client/errors';
import { UiProvider } from '@daylift/ui/UiProvider';
import { Outlet } from 'react-router';

const describeLoadError = (error: unknown) => describeError('load page', error);

/** Layout of pages that use Mantine. */
export const InteractiveLayout = () => (
  <UiProvider describeLoadError={describeLoadError}>
    <Outlet />
  </UiProvider>
);
