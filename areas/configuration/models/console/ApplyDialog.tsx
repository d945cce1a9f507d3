import { Alert, App, Checkbox, Modal, Table } from 'antd'
import { useState } from 'react'
import { type Shown, useCall, useCommand, useRows } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { RefsInput } from '../../../../console/kernel/form/RefsInput.tsx'
import { Waiting } from '../../../../console/shell/Waiting.tsx'
import { none } from '../../../../console/words/formats.ts'
import { useWords, type Words } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import { device } from '../../devices/contract.ts'
import { point } from '../../points/contract.ts'
import { modelCalls, proModel } from '../contract.ts'

type Preview = Answer<typeof modelCalls.apply>
type Row = Preview['Rows'][number]
type Props = { row: Shown<typeof proModel>; close: () => void }
const [mostDevices, shownRows] = [1000, 2000]

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

/** Previews the changes that a model makes to its devices, then applies it. */
const ApplyDialog = ({ row: model, close }: Props) => {
  const t = useWords()
  const { message } = App.useApp()
  const its = useRows(device, { PageIndex: 1, PageSize: mostDevices, ModelId: model.Id })
  const [chosen, choose] = useState<number[]>()
  const [removeGone, setRemoveGone] = useState(false)
  const [renames, setRenames] = useState(false)
  const DeviceIds = chosen ?? (its.data?.Items ?? []).map((d) => d.Id)
  const body = { ModelId: model.Id, DeviceIds, RemoveGone: removeGone ? 1 : 0 } as const
  const preview = useCall(modelCalls.apply, {
    body: { ...body, Preview: 1 },
    of: [point.name, device.name, proModel.name],
    enabled: DeviceIds.length > 0,
  })
  const apply = useCommand(modelCalls.apply, [point.name, device.name, 'gateway', 'alarmRule'], { meta: { quiet: true } })
  const found = DeviceIds.length > 0 ? preview.data : undefined
  const blocked = (found?.Devices ?? []).reduce((sum, d) => sum + d.Blocked, 0)
  const isBlocked = !found || blocked > 0 || found.NoRoom !== null || (found.Rules.length > 0 && !renames) || preview.isFetching
  const send = () =>
    apply.mutate(
      { body: { ...body, RenameInRules: renames ? 1 : 0 } },
      {
        onSuccess: ({ Version }) => {
          message.success(t('model.applied', { version: Version }))
          close()
        },
      },
    )
  const fault = apply.error ?? preview.error
  return (
    <Modal
      open
      width={900}
      title={t('model.applyTitle', { name: model.ModelName, version: model.Version })}
      okText={t('model.apply')}
      cancelText={t('cancel')}
      okButtonProps={{ disabled: isBlocked }}
      confirmLoading={apply.isPending}
      onOk={send}
      onCancel={close}
    >
      <div className="stack" aria-live="polite">
        <RefsInput
          to={device}
          value={DeviceIds}
          onChange={choose}
          placeholder={t('model.applyDevices')}
          aria-label={t('model.applyDevices')}
        />
        <Checkbox checked={removeGone} onChange={(e) => setRemoveGone(e.target.checked)}>
          {t('model.removeGone')}
        </Checkbox>
        {(found?.Rules.length ?? 0) > 0 && (
          <Checkbox checked={renames} onChange={(e) => setRenames(e.target.checked)}>
            {t('model.renameInRules')}
          </Checkbox>
        )}
        {fault && <Failure fault={fault} />}
        {DeviceIds.length > 0 && !found && !fault && <Waiting />}
        {found && <Obstacles of={found} blocked={blocked} renames={renames} />}
        {found && <Rows of={found} />}
      </div>
    </Modal>
  )
}
export default ApplyDialog
