import type { ImportReport } from '@daylift/contracts/scheduled-messages.http';
import { Dialog } from '@daylift/ui/Dialog';
import { formatCount } from '@daylift/ui/formats';
import { Button, Checkbox, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { counted } from '../../../components/counted.ts';
import { FormError } from '../../../components/FormError.tsx';
import { notifyDone } from '../../../components/notify.ts';
import { useImportMessages } from '../scheduled-messages.queries.ts';
import classes from './ImportDialog.module.css';
import { ReportTable } from './ReportTable.tsx';
import { readFileText } from './read-file-text.ts';

const maxBytes = 1_000_000;
const messages = (count: number): string => counted(count, 'message', 'messages');

/** Imports messages from CSV: checks each line, then stores the valid ones. */
export const ImportDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const importMessages = useImportMessages();
  const [csv, setCsv] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [skip, setSkip] = useState(false);
  const [report, setReport] = useState<ImportReport | null>(null);
  const change = (text: string) => {
    setCsv(text);
    setReport(null);
    setSkip(false);
    importMessages.reset();
    setProblem(
      text.length > maxBytes ? 'The file is larger than 1 MB. Split it into smaller files.' : null,
    );
  };
  const close = () => {
    change('');
    onClose();
  };
  const check = () => importMessages.mutate({ csv, dry_run: true }, { onSuccess: setReport });
  const store = () =>
    importMessages.mutate(
      { csv, skip_invalid: skip },
      {
        onSuccess: (done) => {
          setReport(done);
          if (done.imported > 0) notifyDone(`${messages(done.imported)} scheduled.`);
        },
      },
    );
  const isReady = report !== null && report.imported === 0 && report.ok > 0;
  return (
    <Dialog
      opened={opened}
      title="Import messages from CSV"
      size="50rem"
      busy={importMessages.isPending}
      onClose={close}
    >
      <Stack gap="md">
        <Text>
          Use the columns <strong>date</strong>, <strong>title</strong> and <strong>content</strong>
          . Write dates as 2027-03-07 or, as in Excel, 3/7/2027 (month/day/year).
        </Text>
        <FileButton
          accept=".csv,text/csv"
          onChange={async (file) => file && change(await readFileText(file))}
        >
          {(props) => (
            <Button
              {...props}
              variant="default"
              leftSection={<IconFileUpload size={18} aria-hidden />}
            >
              Choose file
            </Button>
          )}
        </FileButton>
        <Textarea
          label="Or paste CSV here"
          description="You can also edit lines here."
          rows={6}
          value={csv}
          onChange={(event) => change(event.currentTarget.value)}
          error={problem}
          styles={{ input: { fontFamily: 'monospace', fontSize: '0.875rem', whiteSpace: 'pre' } }}
        />
        <FormError action="import messages" error={importMessages.error} />
        {report ? <ReportTable report={report} /> : null}
        <Group justify="flex-end" gap="sm" className={classes.footer}>
          {isReady && report.invalid > 0 ? (
            <Checkbox
              mr="auto"
              checked={skip}
              onChange={(event) => setSkip(event.currentTarget.checked)}
              label={`Skip ${report.invalid === 1 ? 'the invalid line' : `the ${formatCount(report.invalid)} invalid lines`}`}
              description="Or fix them above, then check again."
            />
          ) : null}
          <Button variant="default" onClick={close} disabled={importMessages.isPending}>
            {report && report.imported > 0 ? 'Done' : 'Cancel'}
          </Button>
          {isReady ? (
            <Button
              onClick={store}
              loading={importMessages.isPending}
              disabled={report.invalid > 0 && !skip}
            >
              Import {messages(report.ok)}
            </Button>
          ) : null}
          {report === null ? (
            <Button
              onClick={check}
              loading={importMessages.isPending}
              disabled={csv.trim() === '' || problem !== null}
            >
              Check
            </Button>
          ) : null}
        </Group>
      </Stack>
    </Dialog>
  );
};
