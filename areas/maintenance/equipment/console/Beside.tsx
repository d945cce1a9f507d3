import { QrcodeOutlined } from '@ant-design/icons'
import { Button, Skeleton } from 'antd'
import { useState } from 'react'
import { type Shown, useCall, useCommand, useRow, useRows } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { LabelSheet } from '../../../../console/labels/LabelSheet.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { To } from '../../../../console/shell/To.tsx'
import { useConfirm } from '../../../../console/shell/useConfirm.ts'
import { Facts } from '../../../../console/theme/Facts.tsx'
import { numberText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { OfferedArticles } from '../../knowledge-base/console/index.ts'
import { mostLabels, requestCalls } from '../../requests/contract.ts'
import { sparePartCalls } from '../../spare-parts/contract.ts'
import { mtnEquipment } from '../contract.ts'

type Equipment = Shown<typeof mtnEquipment>
/** The QR code opens the machine for signed-in users, and a fault report for anyone else. */
const labelOf = ({ Id, EquipmentName, EquipmentNo, Location }: Equipment, path: string) => ({
  ...{ key: Id, name: EquipmentName, more: [EquipmentNo, Location].filter(Boolean).join(' · ') },
  code: `${location.origin}${path}`,
})

export const Parts = ({ device }: { device: number }) => {
  const t = useWords()
  const { data } = useCall(sparePartCalls.ofDevice, { query: { DeviceId: device }, of: ['mtnComponent', 'mtnComponentCompo'] })
  if (!data?.Items.length) return null
  const stockOf = (part: (typeof data.Items)[number]) => (
    <To to={`/maintenanceCenter/parts/archives?Id=${part.ComponentId}`}>
      {t('equipment.stock', { stock: numberText(part.StockQty, 0, language(), 3), unit: part.Unit })}
    </To>
  )
  return (
    <section>
      <h3>{t('equipment.parts')}</h3>
      <Facts of={data.Items.map((part) => ({ key: String(part.ComponentId), label: part.ComponentName, value: stockOf(part) }))} />
    </section>
  )
}

/** Labels of the equipment and its descendants, on at most ten sheets. */
const LabelsBelow = ({ top, close }: { top: Equipment; close: () => void }) => {
  const t = useWords()
  const { data } = useRows(mtnEquipment, { PageIndex: 1, PageSize: 1000, ProjectId: top.ProjectId })
  const below = (id: number): Equipment[] =>
    (data?.Items ?? []).filter(({ ParentId }) => ParentId === id).flatMap((row) => [row, ...below(row.Id)])
  const all = data ? [top, ...below(top.Id)] : []
  const rows = all.slice(0, mostLabels)
  const isCut = all.length > rows.length || (data !== undefined && data.TotalCount > data.Items.length)
  const Ids = rows.map(({ Id }) => Id)
  const { data: labels, error } = useCall(requestCalls.labels, { body: { Ids }, enabled: Ids.length > 0 })
  const pathOf = new Map(labels?.Items.map(({ Id, Path }) => [Id, Path]))
  const known = rows.flatMap((row) => (pathOf.has(row.Id) ? [labelOf(row, pathOf.get(row.Id)!)] : []))
  return (
    <LabelSheet of={known} close={close}>
      {error ? <Failure fault={error} /> : !labels && <Skeleton active title={false} paragraph={{ rows: 2 }} />}
      {isCut && <p className="soft">{t('equipment.labelsCut', { max: rows.length })}</p>}
      {labels?.Takes === 0 && <p className="soft">{t('request.isOff')}</p>}
    </LabelSheet>
  )
}

const Label = ({ of, close }: { of: Equipment; close: () => void }) => {
  const t = useWords()
  const confirm = useConfirm()
  const mayRenew = useMay('m10613.edit')
  const { data, refetch } = useCall(requestCalls.label, { query: { Id: of.Id } })
  const renew = useCommand(requestCalls.renewLabel, [mtnEquipment.name])
  if (!data) return null
  const ask = () =>
    confirm({
      title: t('request.renewAsk'),
      content: t('request.renewText'),
      okText: t('request.renew'),
      run: () => renew.mutateAsync({ body: { Id: of.Id } }).then(() => refetch()),
    })
  return (
    <LabelSheet of={[labelOf(of, data.Path)]} close={close}>
      {data.Takes === 0 && <p className="soft">{t('request.isOff')}</p>}
      {mayRenew && <Button onClick={ask}>{t('request.renew')}</Button>}
    </LabelSheet>
  )
}

/** Label, device, parts and articles of the selected equipment. */
const Beside = ({ id }: { id: number }) => {
  const t = useWords()
  const { data } = useRow(mtnEquipment, id)
  const [mayDevices, mayParts, mayLabels] = [useMay('m10103'), useMay('m10607'), useMay('m10613.edit')]
  const [labels, setLabels] = useState<'one' | 'all'>()
  const close = () => setLabels(undefined)
  if (!data) return null
  return (
    <div className="stack">
      <div className="button-row">
        <Button icon={<QrcodeOutlined />} onClick={() => setLabels('one')}>
          {t('equipment.label')}
        </Button>
        {mayLabels && (
          <Button icon={<QrcodeOutlined />} onClick={() => setLabels('all')}>
            {t('equipment.labels')}
          </Button>
        )}
        <To to={`/maintenanceCenter/machine?Id=${data.Id}`}>{t('menu.m10620')}</To>
        {data.DeviceId !== null && mayDevices && (
          <To to={`/projectManagement/devicePointList?Id=${data.DeviceId}`}>{t('equipment.device', { name: String(data.DeviceName) })}</To>
        )}
      </div>
      {data.DeviceId !== null && mayParts && <Parts device={data.DeviceId} />}
      <OfferedArticles EquipmentId={data.Id} />
      {labels === 'one' && <Label of={data} close={close} />}
      {labels === 'all' && <LabelsBelow top={data} close={close} />}
    </div>
  )
}
export default Beside
