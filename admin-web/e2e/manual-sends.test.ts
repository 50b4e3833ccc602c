import { describe, expect, it } from 'vitest';
import { failCalls, failedCall, mockCalls, press, refuseCalls, see } from './harness.ts';
import { dialog, inDialog, inWords, messages, row, search, useMessages } from './messages-page.ts';

const { openAdmin, product, schedule, subscriber } = useMessages(120);

describe('A manual send', () => {
  it('shows reach and cost, sends after a confirmation, and shows the result', async () => {
    const reader = await subscriber();
    const title = `Sent ${Date.now()}`;
    const message = await schedule(title, {
      category: 'announcement',
      content: 'News, {{first_name}}.',
    });
    const page = await openAdmin(messages, { expectComplaints: failedCall });
    await search(page, title);
    const failing = await failCalls(
      page,
      'GET',
      `/admin/scheduled-messages/${message.id}/send-preview`,
    );
    await press(page, `Send Now: ${title}`);
    await dialog(page).getByText('Error sending scheduled message').waitFor({ timeout: 60_000 });
    await expect
      .poll(() => dialog(page).getByRole('button', { name: 'Send Now' }).isDisabled())
      .toBe(true);
    await inDialog(page, 'Cancel');
    failing();

    const path = `/admin/scheduled-messages/${message.id}/send-now`;
    const requests: unknown[] = [];
    page.on('request', (call) => call.url().endsWith(path) && requests.push(call.postDataJSON()));
    const restore = await failCalls(page, 'POST', path);
    await press(page, `Send Now: ${title}`);
    await dialog(page)
      .getByText(/to \d+ (person|people) for (about \$\d+\.\d\d|less than \$0\.01)/)
      .waitFor();
    await dialog(page).getByText("It is sent in addition to today's text").waitFor();
    // Other tests' subscribers may be in quiet hours now.
    await dialog(page)
      .getByText(/in quiet hours/)
      .waitFor();
    await inDialog(page, 'Send Now');
    await dialog(page).getByText('Error sending scheduled message').waitFor();
    expect(await product.texts(reader.phone)).not.toContainEqual(
      expect.objectContaining({ text: 'News, Ada.' }),
    );
    restore();
    const allow = await refuseCalls(page, 'POST', path, 'Sending is frozen.');
    await inDialog(page, 'Send Now');
    await dialog(page).getByText('Sending is frozen.').waitFor();
    allow();
    await inDialog(page, 'Send Now');
    await see(page, new RegExp(`"${title}": \\d+ of \\d+ (person|people) reached`));
    // Quiet hours may have started for someone since the dialog said none.
    expect(requests.length).toBeGreaterThanOrEqual(3);
    for (const request of requests) expect(request).toEqual({ hold_quiet_hours: true });
    const texts = await product.texts(reader.phone);
    expect(texts.filter((one) => one.text === 'News, Ada.')).toHaveLength(1);
    await row(page, title).getByText('Sent', { exact: true }).waitFor();
    await row(page, title)
      .getByText(/\d+ sent, 0 failed/)
      .waitFor();
    await expect.poll(() => row(page, title).getByRole('button').allTextContents()).toEqual(['']);
    await page.goto(new URL('/admin/messages/calendar', page.url()).href);
    const today = page.locator('li[aria-current="date"]');
    await today.getByText(title).waitFor();
    await today
      .getByText(/^Sent early \(scheduled for /)
      .first()
      .waitFor();
  });

  it('to more than 1,000 people requires typing the number, and offers to respect quiet hours', async () => {
    const message = await schedule(`Many ${Date.now()}`);
    const held = {
      scheduled_message_id: message.id,
      title: message.title,
      texts: 910,
      first_at: '2027-03-06T23:00:00.000Z',
      last_at: '2027-03-07T13:00:00.000Z',
    };
    let canceled = false;
    const page = await openAdmin(messages, {
      prepare: async (before) => {
        await mockCalls(before, '/admin/settings/testing-mode', () => ({
          json: {
            testing_mode_enabled: true,
            test_phone_number: '+14155550199',
            enabled_at: null,
            enabled_by: null,
          },
        }));
        await mockCalls(before, '/admin/held-texts', () => ({ json: canceled ? [] : [held] }));
        await mockCalls(before, '/admin/scheduled-messages/*/cancel-held', () => {
          canceled = true;
          return { json: { canceled: 910, left: 0 } };
        });
      },
    });
    const preview = {
      scheduled_message_id: message.id,
      scheduled_message_title: message.title,
      category: 'daily_motivation',
      scheduled_date: message.scheduled_date,
      is_early: true,
      recipients: 998_000,
      is_estimate: true,
      in_quiet_hours: 211_000,
      off_day: 3_000,
      parts_per_text: 2,
      estimated_cost: '7984.0000',
      currency: 'USD',
    };
    await mockCalls(page, '/admin/scheduled-messages/*/send-preview', () => ({ json: preview }));
    const requests: unknown[] = [];
    await mockCalls(page, '/admin/scheduled-messages/*/send-now', (call) => {
      requests.push(call.body());
      return {
        json: {
          scheduled_message_title: message.title,
          total_recipients: 998_012,
          successful_sends: 100,
          failed_sends: 2,
          pending: 997_000,
          held: 910,
          batch_id: message.id,
        },
      };
    });
    await search(page, message.title);
    await press(page, `Send Now: ${message.title}`);
    await dialog(page).getByText('in quiet hours now').waitFor();
    const words = await dialog(page).textContent();
    expect(words).toContain('about 998,000 people for about $7,984.00 (2 parts each)');
    expect(words).toContain('about 211,000 people in quiet hours now');
    expect(words).toContain('About 3,000 recipients are on a weekly plan with another day.');
    expect(words).toContain(`This message is scheduled for ${inWords(message.scheduled_date)}.`);
    expect(words).toContain(
      'Texts go to +14155550199, not to subscribers. Texts that are held or wait until you turn it off go to subscribers.',
    );
    const confirm = dialog(page).getByRole('button', { name: 'Send Now' });
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    const number = dialog(page).getByLabel('This reaches about 998,000 people.');
    await number.fill('998');
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await number.fill('998,000');
    await expect.poll(() => dialog(page).getByRole('checkbox').isChecked()).toBe(true);
    await confirm.click();
    await see(page, '100 of 998,012 people reached, 2 failed, 997,000 in progress, 910 held');
    expect(requests).toEqual([{ hold_quiet_hours: true }]);
    const heldTexts = page.getByRole('region', { name: 'Held Texts' });
    await heldTexts.getByText('910 texts held until 8:00 AM subscriber time').waitFor();
    await press(page, `Cancel held texts: ${message.title}`);
    await inDialog(page, 'Cancel held texts');
    await see(page, '910 texts canceled.');
    await heldTexts.waitFor({ state: 'detached' });
    await page.locator('#main:focus').waitFor();
  });

  it("of today's message reports if there is none, and otherwise the result", async () => {
    const page = await openAdmin(messages, {
      expectComplaints: failedCall,
      prepare: async (before) => {
        await mockCalls(before, '/admin/settings/testing-mode', () => ({
          json: { testing_mode_enabled: true, test_phone_number: '+12125550199' },
        }));
        // Another file may have sent one today.
        const none = { detail: 'internal words', code: 'NO_MESSAGE_TODAY', request_id: 'r' };
        await mockCalls(before, '/admin/send-todays-message/preview', () => ({
          ...{ status: 404, json: none },
        }));
      },
    });
    await press(page, "Send Today's Message");
    await dialog(page).getByText('No message is scheduled for today.').waitFor({ timeout: 60_000 });
    await inDialog(page, "Schedule Today's Message");
    await page
      .locator('input:focus')
      .and(page.getByLabel(/^Title/))
      .waitFor();
    await expect
      .poll(() => page.getByLabel('Date').first().inputValue())
      .toMatch(/^\d{4}-\d\d-\d\d$/);
    await mockCalls(page, '/admin/send-todays-message/preview', () => ({
      json: {
        scheduled_message_id: '11111111-1111-4111-8111-111111111111',
        scheduled_message_title: 'Of today',
        category: 'daily_motivation',
        recipients: 2,
        is_estimate: false,
        in_quiet_hours: 0,
        parts_per_text: 1,
        estimated_cost: '0.0040',
        currency: 'USD',
        is_early: true,
        scheduled_date: '2027-06-01',
      },
    }));
    await failCalls(page, 'POST', '/admin/send-todays-message');
    await press(page, "Send Today's Message");
    await dialog(page).getByText("It replaces today's text").waitFor();
    await dialog(page).getByText('Sending it now frees that date').waitFor();
    await dialog(page).getByText('Texts go to +12125550199, not to subscribers.').waitFor();
    await dialog(page).getByText('to 2 people for less than $0.01.').waitFor();
    await inDialog(page, 'Send Now');
    await dialog(page).getByText("Error sending today's message").waitFor();
    await refuseCalls(page, 'POST', '/admin/send-todays-message', 'Sending is frozen.');
    await inDialog(page, 'Send Now');
    await dialog(page).getByText('Sending is frozen.').waitFor();
    await inDialog(page, 'Cancel');
    await page.getByRole('link', { name: 'View SMS System' }).click();
    await page
      .getByRole('heading', { level: 1, name: 'SMS System' })
      .waitFor({ state: 'attached' });
  });
});
