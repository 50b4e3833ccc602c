import type { HistoryItem } from '@daylift/contracts/sms.http';
import { formatDayAndTime } from '@daylift/ui/formats';
import { Badge, MessageStatusBadge } from '@daylift/ui/StatusBadge';
import { useId, useState } from 'react';
import classes from './HistoryMessage.module.css';
import { preview } from './preview.ts';

/** A text, shortened with a "Show all" button. */
export const HistoryMessage = ({
  message,
  timeZone,
}: {
  message: HistoryItem;
  timeZone: string;
}) => {
  const [whole, setWhole] = useState(false);
  const id = useId();
  const short = preview(message.message_content);
  return (
    <li className={classes.message} tabIndex={-1}>
      <p id={id} className={classes.content}>
        {whole ? message.message_content : short}
      </p>
      <p className={classes.about}>
        <time dateTime={message.sent_at}>{formatDayAndTime(message.sent_at, timeZone)}</time>
        {short === message.message_content ? null : (
          <button
            type="button"
            className={classes.more}
            aria-expanded={whole}
            aria-describedby={id}
            onClick={() => setWhole(!whole)}
          >
            {whole ? 'Show less' : 'Show all'}
          </button>
        )}
        <span className={classes.badges}>
          {message.kind === 'announcement' ? <Badge tone="sky">Announcement</Badge> : null}
          <MessageStatusBadge status={message.status} />
        </span>
      </p>
    </li>
  );
};
