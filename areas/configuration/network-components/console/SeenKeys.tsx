import { App, Button, Table } from 'antd'
import { useState } from 'react'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useMayCode } from '../../../../console/session/session.ts'
import { numberText, timeText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { componentCalls, type DoorState, mostSeen, type NetworkComponent, networkComponent, type SeenKey } from '../contract.ts'

const heardOf = (state: DoorState | undefined) => {
  if (state?.Readings || state?.Unmatched) return 'sender.allMatched'
  return state?.LastFault ? 'sender.allRefused' : 'sender.noneSeen'
}
type Row = SeenKey & { name: string }
type Props = { of: NetworkComponent; state: DoorState | undefined }

/** Received keys without a point. One click creates devices and points for them. */
export const SeenKeys = ({ of, state }: Props) => {
  const t = useWords()
  const { message } = App.useApp()
  const may = useMayCode()
  const mayAdopt = may('m10103.add') && may('m10104.add')
  const [chosen, choose] = useState<string[]>([])
  const { data, error, refetch } = useCall(componentCalls.seen, {
    query: { Id: of.Id },
    of: [networkComponent.name, 'point'],
    refetchInterval: 3000,
  })
  const adopt = useCommand(componentCalls.adopt, [networkComponent.name, 'point', 'device'], { meta: { quiet: true } })
  if (!data) return error ? <Failure fault={error} retry={() => refetch()} /> : null
  if (!data.TotalCount) return <p className="soft">{t(heardOf(state))}</p>
  const rows = data.Items.map((key) => ({ ...key, name: `${key.Device}\n${key.Key}` }))
  const items = rows.filter(({ name }) => !chosen.length || chosen.includes(name)).map(({ Device, Key }) => ({ Device, Key }))
  const send = () =>
    adopt.mutate(
      { body: { Id: of.Id, Items: items } },
      {
        onSuccess: ({ Devices, Points }) => {
          choose([])
          message.success(t('sender.adopted', { devices: Devices, points: Points }))
        },
      },
    )
  return (
    <>
      <p className="soft">{t('sender.seenText')}</p>
      {adopt.error && <Failure fault={adopt.error} />}
      <Table<Row>
        size="small"
        rowKey="name"
        dataSource={rows}
        scroll={{ x: 'max-content' }}
        pagination={{ pageSize: 10, hideOnSinglePage: true, showSizeChanger: false }}
        {...(mayAdopt && { rowSelection: { selectedRowKeys: chosen, onChange: (keys) => choose(keys as string[]) } })}
        columns={[
          { key: 'device', title: t('device'), render: (_, row) => row.Device || t('sender.itself') },
          { key: 'key', title: t('sender.key'), dataIndex: 'Key' },
          {
            key: 'value',
            title: t('sender.lastValue'),
            align: 'right',
            render: (_, row) =>
              row.LastValue === null ? (
                t('sender.noNumber')
              ) : (
                <span className="figures">{numberText(row.LastValue, 0, language(), 4)}</span>
              ),
          },
          {
            key: 'rate',
            title: t('sender.perMinute'),
            align: 'right',
            render: (_, row) => <span className="figures">{numberText(row.PerMinute, 1, language())}</span>,
          },
          { key: 'time', title: t('sender.lastTime'), render: (_, row) => <span className="figures">{timeText(row.LastTime)}</span> },
        ]}
      />
      {data.TotalCount >= mostSeen && <p className="soft">{t('sender.full', { count: mostSeen })}</p>}
      {mayAdopt && (
        <Button type="primary" loading={adopt.isPending} onClick={send}>
          {t('sender.adopt', { count: items.length })}
        </Button>
      )}
    </>
  )
}
