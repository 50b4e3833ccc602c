import type { Page } from 'playwright-core';

const scale = 0.1;

interface Size {
  width: number;
  height: number;
}
interface Point {
  x: number;
  y: number;
}
interface ServerPage {
  delegate: {
    _mainFrameSession: {
      _client: { send: (method: string, params?: object) => Promise<unknown> };
    };
  };
}
interface PageWithServer {
  _connection: { toImpl: (page: unknown) => ServerPage };
}

/**
 * Draws a page at a tenth of its size, with the same layout: drawing takes a sixth of the CPU time of a page load. The
 * browser expects the mouse where the small picture is. Playwright can't do this itself, so it uses Playwright's inside.
 */
export async function drawSmall(page: Page, size: Size): Promise<void> {
  const server = (page as unknown as PageWithServer)._connection.toImpl(page);
  const client = server.delegate._mainFrameSession._client;
  const send = client.send.bind(client);
  client.send = (method, params) => {
    if (method === 'Emulation.setDeviceMetricsOverride') return send(method, { ...params, scale });
    if (method !== 'Input.dispatchMouseEvent') return send(method, params);
    const { x, y } = params as Point;
    return send(method, { ...params, x: x * scale, y: y * scale });
  };
  // The same size again would change nothing.
  await page.setViewportSize({ ...size, height: size.height - 1 });
  await page.setViewportSize(size);
}
