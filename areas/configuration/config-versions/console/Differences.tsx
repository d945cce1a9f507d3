import { Alert, Table, type TableColumnsType, Tag } from 'antd'
import { Cell } from '../../../../console/kernel/fields.tsx'
import { usePhone } from '../../../../console/theme/useWidth.ts'
import { hasWords, useWords } from '../../../../console/words/words.ts'
import { resourceNamed } from '../../../../contract/registry.ts'
import { type ConfigDifferences, listedDifferences } from '../contract.ts'

type Row = ConfigDifferences['Rows'][number]
const colours = { add: 'green', remove: 'red', change: 'blue' } as const

/** The values of a row that change: `Address: 10 → 20`. */
const Changes = ({ Resource, Fields }: Row) => {
  const t = useWords()
  const r = resourceNamed(Resource)!
  const value = (field: string, of: unknown) => <Cell of={r} field={field} row={{ [field]: of }} />
  return (
    <span className="import-values">
      {Fields.map(({ Field, Before, After }) => (
        <span key={Field}>
          <span className="soft">{hasWords(`${Resource}.${Field}`) ? t(`${Resource}.${Field}`) : Field}: </span>
          {value(Field, Before)} → {value(Field, After)}
        </span>
      ))}
    </span>
  )
}

/** The difference of two configurations, by row and field. */
export const Differences = ({ of, none }: { of: ConfigDifferences; none: string }) => {
  const t = useWords()
  const phone = usePhone()
  const count = of.Added + of.Removed + of.Changed
  const values: TableColumnsType<Row>[number] = {
    ...{ key: 'fields', title: t('import.changes') },
    render: (_, row) => (row.Verb === 'change' ? <Changes {...row} /> : null),
  }
  if (count === 0) return <Alert type="info" showIcon title={none} />
  return (
    <>
      <p>
        {t('version.differences', { added: of.Added, removed: of.Removed, changed: of.Changed })}
        {count > of.Rows.length && ` ${t('version.listed', { count: listedDifferences })}`}
      </p>
      <Table<Row>
        size="small"
        rowKey={(row) => `${row.Resource}-${row.Id}`}
        dataSource={of.Rows}
        pagination={{ pageSize: 10, hideOnSinglePage: true, showSizeChanger: false }}
        columns={[
          {
            key: 'verb',
            title: t('version.verb'),
            width: 110,
            render: (_, { Verb }) => <Tag color={colours[Verb]}>{t(`version.verb.${Verb}`)}</Tag>,
          },
          {
            key: 'title',
            title: t('version.what'),
            render: (_, row) => (
              <>
                {hasWords(`${row.Resource}.ParaCode.${row.Title}`) ? t(`${row.Resource}.ParaCode.${row.Title}`) : row.Title}{' '}
                <span className="soft">{row.Of ?? t(row.Resource)}</span>
                {phone && row.Verb === 'change' && <Changes {...row} />}
              </>
            ),
          },
          ...(phone ? [] : [values]),
        ]}
      />
    </>
  )
}
