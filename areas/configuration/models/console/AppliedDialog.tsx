import { Alert, Modal, Table } from 'antd'
import type { ReactNode } from 'react'
import type { TSchema } from 'typebox'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { Waiting } from '../../../../console/shell/Waiting.tsx'
import { none } from '../../../../console/words/formats.ts'
import { useWords, type Words } from '../../../../console/words/words.ts'
import type { Answer, Call } from '../../../../contract/call.ts'
import { device } from '../../devices/contract.ts'
import { point } from '../../points/contract.ts'
import { type Applied, type modelCalls, proModel } from '../contract.ts'

export type Preview = Answer<typeof modelCalls.apply>
type Row = Preview['Rows'][number]
const [shownRows, shownFaults] = [2000, 5]

/** Formats a value like the point table. */
const valueText = (t: Words, { Field, Kind }: Row, value: Row['Before']) => {
  if (value === null || Kind === 'added' || Kind === 'gone') return none
  const f = point.fields[Field as keyof typeof point.fields]
  if (f?.kind === 'choice') return t(`point.${Field}.${value}`)
  if (f?.kind === 'flag') return t((value === 1) !== 'inverted' in f ? 'flag.yes' : 'flag.no')
  return String(value)
}

const Rows = ({ of: { Rows, Devices } }: { of: Preview }) => {
  const t = useWords()
  const names = new Map(Devices.map((d) => [d.DeviceId, d.DeviceName]))
  return (
    <Table<Row & { key: number }>
      size="small"
      dataSource={Rows.map((row, key) => ({ ...row, key }))}
      pagination={{ pageSize: 10, hideOnSinglePage: true, showSizeChanger: false }}
      scroll={{ x: 'max-content' }}
      columns={[
        { key: 'device', title: t('device'), render: (_, r) => names.get(r.DeviceId) },
        { key: 'point', title: t('point'), dataIndex: 'ParaName' },
        {
          key: 'kind',
          title: t('model.kind'),
          render: (_, r) => r.Reason || t(`model.kind.${r.Kind}`, { value: valueText(t, r, r.After) }),
        },
        { key: 'field', title: t('sheet.field'), render: (_, r) => (r.Field ? t(`point.${r.Field}`) : none) },
        { key: 'before', title: t('model.before'), render: (_, r) => valueText(t, r, r.Before) },
        { key: 'after', title: t('model.after'), render: (_, r) => valueText(t, r, r.Kind === 'kept' ? r.Before : r.After) },
      ]}
    />
  )
}

/** Lists the obstacles of a preview. */
const Obstacles = ({ of: preview, blocked, renames }: { of: Preview; blocked: number; renames: boolean }) => {
  const t = useWords()
  const names = preview.Rules.map((r) => `${r.RuleName} (${r.Before} → ${r.After})`).join(', ')
  const changes = preview.Rows.some((r) => r.Kind !== 'kept') || preview.Devices.some((d) => d.Version !== preview.Version)
  return (
    <>
      {blocked > 0 && <Alert type="error" showIcon title={t('model.blocked', { count: blocked })} />}
      {preview.NoRoom !== null && <Alert type="error" showIcon title={t('model.noRoom', { most: preview.NoRoom })} />}
      {names && <Alert type={renames ? 'info' : 'warning'} showIcon title={t('model.ruleNames', { names })} />}
      {!changes && <Alert type="info" showIcon title={t('model.nothing')} />}
      {preview.Rows.length >= shownRows && <Alert type="info" showIcon title={t('model.more', { count: shownRows })} />}
    </>
  )
}

type Props = {
  title: string
  okText: string
  call: Call<TSchema, TSchema, typeof Applied>
  /** Undefined until the choices are complete enough for a preview. */
  body: object | undefined
  /** Additional body fields of the actual change. */
  more?: object
  done: (answer: Preview) => void
  close: () => void
  /** Whether alarm rules take the new names. */
  renames?: boolean
  /** Names an item of the request, for faults such as `Items.3.DeviceName`. */
  itemName?: (index: number) => string | undefined
  children: (preview: Preview | undefined) => ReactNode
}

/** Previews points that devices receive, then sends the same request without `Preview`. */
export const AppliedDialog = ({ title, okText, call, body, more, done, close, renames = false, itemName, children }: Props) => {
  const t = useWords()
  const preview = useCall(call, {
    body: { ...body, Preview: 1 },
    of: [point.name, device.name, proModel.name],
    enabled: body !== undefined,
  })
  const apply = useCommand(call, [point.name, device.name, 'gateway', 'alarmRule'], { meta: { quiet: true } })
  const found = body && preview.data
  const blocked = (found?.Devices ?? []).reduce((sum, d) => sum + d.Blocked, 0)
  const isBlocked = !found || blocked > 0 || found.NoRoom !== null || (found.Rules.length > 0 && !renames) || preview.isFetching
  const fault = apply.error ?? (body && preview.error)
  const fields = Object.entries(fault?.details.Fields ?? {})
    .slice(0, shownFaults)
    .map(([field, texts]) => [itemName?.(Number(/^Items\.(\d+)\./.exec(field)?.[1])), texts[0]].filter(Boolean).join(': '))
  return (
    <Modal
      open
      width={900}
      title={title}
      okText={okText}
      cancelText={t('cancel')}
      okButtonProps={{ disabled: isBlocked }}
      confirmLoading={apply.isPending}
      onOk={() =>
        apply.mutate(
          { body: { ...body, ...more } },
          {
            onSuccess: (answer) => {
              done(answer)
              close()
            },
          },
        )
      }
      onCancel={close}
    >
      <div className="stack" aria-live="polite">
        {children(found)}
        {fault && (fields.length ? <Alert type="error" showIcon role="alert" title={fields.join(' ')} /> : <Failure fault={fault} />)}
        {body && !found && !fault && <Waiting />}
        {found && <Obstacles of={found} blocked={blocked} renames={renames} />}
        {found && found.Rows.length > 0 && <Rows of={found} />}
      </div>
    </Modal>
  )
}
