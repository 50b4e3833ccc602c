import { describeError } from '@daylift/api-client/operators-errors';
import { ApiError } from '@daylift/api-client/request';
import type { Business, BusinessFigure, CountryFigures } from '@daylift/contracts/business.http';
import { isCurrency } from '@daylift/contracts/plans';
import { EmptyState } from '@daylift/ui/EmptyState';
import { ErrorText } from '@daylift/ui/ErrorText';
import { formatCount, formatLocalDate, formatMoney } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { saveFile } from '@daylift/ui/save-file';
import {
  ActionIcon,
  Button,
  Group,
  NativeSelect,
  Stack,
  Text,
  TextInput,
  Tooltip,
  VisuallyHidden,
} from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { Section } from '../../components/Section.tsx';
import { useUrlParams } from '../../components/use-url-params.ts';
import { useMay } from '../../session/use-admin.ts';
import { businessQuery } from './business.queries.ts';
import { CohortsSection } from './CohortsSection.tsx';
import { changeInWords, inWords, toCsv } from './words.ts';

const Name = ({ name, definition }: Pick<BusinessFigure, 'name' | 'definition'>) => (
  <Group gap={4} wrap="nowrap">
    {name}
    <Tooltip
      label={definition}
      multiline
      w={300}
      events={{ hover: true, focus: true, touch: true }}
    >
      <ActionIcon variant="subtle" size={44} my={-8} aria-label={`What ${name} means`}>
        <IconInfoCircle size={18} />
      </ActionIcon>
    </Tooltip>
  </Group>
);

const figureColumns = (currency: string): Column<BusinessFigure>[] => [
  { header: 'Figure', isTitle: true, cell: (figure) => <Name {...figure} /> },
  {
    header: 'This range',
    cell: ({ value, unit }) => inWords(value, unit, currency),
    numeric: true,
  },
  {
    header: 'Previous range',
    cell: ({ previous, unit }) => inWords(previous, unit, currency),
    numeric: true,
  },
  { header: 'Change', cell: changeInWords, numeric: true },
];

const countryNames = new Intl.DisplayNames('en-US', { type: 'region' });
const countryName = (country: string): string =>
  /^[A-Z]{2}$/.test(country) ? (countryNames.of(country) ?? country) : country;

const countryColumns = (currency: string): Column<CountryFigures>[] => [
  {
    header: 'Country',
    cell: ({ country }) => (country === 'unknown' ? 'Unknown' : countryName(country)),
  },
  { header: 'Paying', cell: ({ paying }) => formatCount(paying), numeric: true },
  {
    header: 'Revenue',
    cell: ({ revenue_cents }) => formatMoney(revenue_cents, currency),
    numeric: true,
  },
  { header: 'Texts', cell: ({ texts }) => formatCount(texts), numeric: true },
  {
    header: 'Text cost',
    cell: ({ text_cost_cents }) => inWords(text_cost_cents, 'cents', currency),
    numeric: true,
  },
  {
    header: 'Cost per subscriber',
    cell: (row) => inWords(row.cost_per_paying_cents, 'cents', currency),
    numeric: true,
  },
  {
    header: 'Gross margin',
    cell: ({ margin_percent }) => inWords(margin_percent, 'percent', currency),
    numeric: true,
  },
];

const Countries = ({ business: { by_country, currency } }: { business: Business }) => (
  <Section title="By country" folds>
    <Stack gap="md">
      <Text c="dimmed">
        By the country of the subscriber's number. Includes texts to numbers without a subscriber.
      </Text>
      {by_country.length === 0 ? (
        <EmptyState title="No payments or texts in this range" />
      ) : (
        <DataTable
          label="By country"
          columns={countryColumns(currency)}
          rows={by_country}
          rowKey={({ country }) => country}
        />
      )}
    </Stack>
  </Section>
);

const Figures = ({ business }: { business: Business }) => (
  <>
    {[...Map.groupBy(business.figures, ({ group }) => group)].map(([group, figures], index) => (
      <Section key={group} title={group} folds={index > 0}>
        <DataTable
          label={group}
          columns={figureColumns(business.currency)}
          rows={figures}
          rowKey={({ id }) => id}
        />
      </Section>
    ))}
    <Countries business={business} />
    <CohortsSection cohorts={business.cohorts} />
  </>
);

const Export = ({ business }: { business: Business | undefined }) => (
  <Button
    variant="default"
    h={44}
    disabled={!business}
    onClick={() => {
      if (!business) return;
      const file = new Blob([toCsv(business)], { type: 'text/csv' });
      const { from, to, currency, currencies = [] } = business;
      const name = currencies.length > 1 ? `business-${currency}` : 'business';
      saveFile(file, `${name}-${from}-${to}.csv`);
    }}
  >
    Export CSV
  </Button>
);

/** Recurring revenue, churn, costs and retention of a range of days. */
export const BusinessTab = () => {
  const [params, change] = useUrlParams();
  const from = params.get('from') ?? undefined;
  const to = params.get('to') ?? undefined;
  const wanted = params.get('currency');
  const currency = isCurrency(wanted) ? wanted : undefined;
  const query = useQuery(
    businessQuery({ ...(from && { from }), ...(to && { to }), ...(currency && { currency }) }),
  );
  const mayExport = useMay('operator');
  const { data, error } = query;
  const isRangeWrong = error instanceof ApiError && error.code === 'INVALID_RANGE';
  const currencies = data?.currencies ?? [];
  const day = (name: 'from' | 'to', label: string, value: string | undefined) => (
    <TextInput
      type="date"
      label={label}
      value={value ?? ''}
      error={isRangeWrong ? <VisuallyHidden>{error.detail}</VisuallyHidden> : null}
      onChange={(event) => {
        const { value } = event.currentTarget;
        const other = name === 'from' ? 'to' : 'from';
        // The other day stays as shown.
        change((current) => ({
          [other]: current.get(other) ?? data?.[other] ?? null,
          [name]: value,
        }));
      }}
    />
  );
  return (
    <>
      <Group gap="md" align="end">
        {day('from', 'First day', from ?? data?.from)}
        {day('to', 'Last day', to ?? data?.to)}
        {data && currencies.length > 1 ? (
          <NativeSelect
            label="Currency"
            data={currencies.map((value) => ({ value, label: value.toUpperCase() }))}
            value={data.currency}
            onChange={(event) => {
              const { value } = event.currentTarget;
              change(() => ({ currency: value }));
            }}
          />
        ) : null}
        {mayExport ? <Export business={data} /> : null}
      </Group>
      {data ? (
        <Text c="dimmed">
          Compared with {formatLocalDate(data.previous.from)} to {formatLocalDate(data.previous.to)}
          .
          {currencies.length > 1
            ? ` Amounts and subscribers in ${data.currency.toUpperCase()} only. Text costs, in US dollars, and signup months count all subscribers.`
            : ''}
        </Text>
      ) : null}
      {isRangeWrong ? (
        <ErrorText>{error.detail}</ErrorText>
      ) : (
        <QueryView
          query={query}
          lines={8}
          describe={(failure) => describeError('read business figures', failure)}
        >
          {(business) => <Figures business={business} />}
        </QueryView>
      )}
    </>
  );
};
