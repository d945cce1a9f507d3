import { App } from 'antd'
import { useState } from 'react'
import { RefsInput } from '../../../../console/kernel/form/RefsInput.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { device } from '../../devices/contract.ts'
import { AppliedDialog } from '../../models/console/AppliedDialog.tsx'
import { commonCalls, commonPara } from '../contract.ts'

type Props = {
  tenant?: number | undefined
  /** A preselected common point. */
  row?: { Id: number; EnterpriseId: number }
  /** The receiving device, if the screen shows one. */
  deviceId?: number
  close: () => void
}

/** Adds common points to devices, with a preview of the points that each device receives. */
export const AddToDevices = ({ tenant, row, deviceId, close }: Props) => {
  const t = useWords()
  const { message } = App.useApp()
  const [Ids, choosePoints] = useState(row ? [row.Id] : [])
  const [DeviceIds, chooseDevices] = useState(deviceId ? [deviceId] : [])
  const where = { EnterpriseId: row?.EnterpriseId ?? tenant }
  const inputs = [
    { to: commonPara, value: Ids, onChange: choosePoints, label: t('commonPara.choosePoints') },
    ...(deviceId ? [] : [{ to: device, value: DeviceIds, onChange: chooseDevices, label: t('commonPara.chooseDevices') }]),
  ]
  return (
    <AppliedDialog
      title={t('commonPara.add')}
      okText={t(deviceId ? 'commonPara.add' : 'commonPara.addToDevices')}
      call={commonCalls.addToDevices}
      body={Ids.length && DeviceIds.length ? { Ids, DeviceIds } : undefined}
      done={({ Devices }) => message.success(t('commonPara.added', { count: Devices.reduce((sum, d) => sum + d.Added, 0) }))}
      close={close}
    >
      {() => inputs.map(({ label, ...input }) => <RefsInput key={label} {...input} where={where} placeholder={label} aria-label={label} />)}
    </AppliedDialog>
  )
}
export default AddToDevices
