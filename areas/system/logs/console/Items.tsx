import { Table } from 'antd'
import { type Shown, useCall } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { SidePanel } from '../../../../console/shell/SidePanel.tsx'
import { none } from '../../../../console/words/formats.ts'
import { hasWords, useWords } from '../../../../console/words/words.ts'
import { type log, logCalls } from '../contract.ts'

const text = (value: string | null) => <span className="wrap">{value ?? none}</span>

/** One entry: actor, origin, and each field before and after. */
const Items = ({ row: entry, close }: { row: Shown<typeof log>; close: () => void }) => {
  const t = useWords()
  const { data, error, refetch } = useCall(logCalls.items, { query: { Id: entry.Id } })
  const thing = entry.Resource && hasWords(entry.Resource) ? t(entry.Resource) : entry.Resource
  const facts: [string, unknown][] = [
    [t('log.Time'), entry.Time],
    [t('log.UserNO'), entry.UserNO ?? t('log.server')],
    [t('log.Ip'), entry.Ip],
    [t('log.Agent'), entry.Agent],
    [t('log.RequestId'), entry.RequestId],
    [t('log.Seq'), entry.Seq],
  ]
  return (
    <SidePanel
      width={720}
      title={`${t(`log.Verb.${entry.Verb}`)}: ${[thing, entry.ObjectName].filter(Boolean).join(' · ')}`}
      onClose={close}
    >
      <div className="stack">
        <dl className="facts">
          {facts
            .filter(([, value]) => value)
            .map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd className="wrap">{String(value)}</dd>
              </div>
            ))}
        </dl>
        {error && !data ? (
          <Failure fault={error} retry={() => refetch()} />
        ) : (
          <Table
            rowKey="Field"
            size="small"
            loading={!data}
            dataSource={data}
            pagination={false}
            locale={{ emptyText: data ? t('log.noItems') : ' ' }}
            columns={[
              { title: t('log.field'), dataIndex: 'FieldName' },
              { title: t('log.before'), dataIndex: 'Before', render: text },
              { title: t('log.after'), dataIndex: 'After', render: text },
            ]}
          />
        )}
      </div>
    </SidePanel>
  )
}
export default Items
