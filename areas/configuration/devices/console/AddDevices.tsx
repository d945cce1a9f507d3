import { App, Checkbox, Form, Input, InputNumber, Segmented } from 'antd'
import { useEffect, useState } from 'react'
import { useRow, useRows } from '../../../../console/kernel/api.ts'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { protocolOf } from '../../../../contract/protocols/index.ts'
import type { Resource } from '../../../../contract/resource.ts'
import { netProtocol, serialProtocol } from '../../channels/contract.ts'
import { gateway } from '../../gateways/contract.ts'
import { AppliedDialog } from '../../models/console/AppliedDialog.tsx'
import { proModel } from '../../models/contract.ts'
import { deviceCalls, mostDevices, namesIn } from '../contract.ts'
import { EachSettings } from './EachSettings.tsx'
import { type Lines, settingsOfEach } from './eachDevice.ts'

type Entered = {
  GatewayId: number | null
  CommType: 0 | 1
  Channel: number | null
  NameRule: string
  ModelId: number | null
  SlaveNumber: number | null
  Step: number | null
  Lines?: Lines
}
const start: Entered = { GatewayId: null, CommType: 0, Channel: null, NameRule: '', ModelId: null, SlaveNumber: 1, Step: 1 }
const shownNames = 3

/** The record to preselect: the only one, otherwise undefined. */
const useOnly = (of: Resource, where: Record<string, number | undefined>, enabled = true) => {
  const { data } = useRows(of, { PageIndex: 1, PageSize: 2, ...where }, { enabled })
  return enabled && data?.Items.length === 1 ? data.Items[0]!.Id : undefined
}

/** Adds devices numbered by a range in their name, with the points of a model. */
const AddDevices = ({ close, task = false }: { close: () => void; task?: boolean }) => {
  const t = useWords()
  const { message } = App.useApp()
  const mayApply = useMay('m10110.apply')
  const mayTask = useMay('m10124.add')
  const [isTask, setTask] = useState(task)
  const [form] = Form.useForm<Entered>()
  const [{ GatewayId, CommType, Channel, NameRule, ModelId, SlaveNumber, Step, Lines = {} }, setEntered] = useState(start)
  const names = NameRule ? namesIn(NameRule, mostDevices + 1) : []
  const isSerial = CommType === 1
  const protocol = isSerial ? serialProtocol : netProtocol
  const channel = isSerial ? 'SerialProtocolId' : 'NetProtocolId'
  const [onlyGateway, onlyChannel] = [useOnly(gateway, {}), useOnly(protocol, { GatewayId: GatewayId ?? undefined }, GatewayId !== null)]
  const net = useRow(netProtocol, isSerial ? undefined : (Channel ?? undefined))
  const serial = useRow(serialProtocol, isSerial ? (Channel ?? undefined) : undefined)
  const asked = protocolOf(Number((isSerial ? serial : net).data?.ProtocolType ?? Number.NaN))?.device ?? {}
  const SettingsOfEach = settingsOfEach(asked, Lines, names.length)
  const isMissing = Object.entries(asked).some(([name, field]) => field.required && SettingsOfEach?.[0]?.[name] === undefined)
  const take = (only: Partial<Entered>) => {
    form.setFieldsValue(only)
    setEntered((entered) => ({ ...entered, ...only }))
  }
  useEffect(() => {
    if (onlyGateway && !form.getFieldValue('GatewayId')) take({ GatewayId: onlyGateway })
  }, [onlyGateway])
  useEffect(() => {
    if (onlyChannel && !form.getFieldValue('Channel')) take({ Channel: onlyChannel })
  }, [onlyChannel])
  const body = {
    ...{ GatewayId, CommType, NameRule, SlaveNumber, Step },
    ...(ModelId && { ModelId }),
    ...(Channel && { [channel]: Channel }),
    ...(SettingsOfEach && { SettingsOfEach }),
  }
  const preview = [...names.slice(0, shownNames), ...(names.length > shownNames ? ['…', names.at(-1)] : [])].join(', ')
  return (
    <AppliedDialog
      title={t('device.addMany')}
      okText={t('device.addCount', { count: names.length })}
      call={deviceCalls.batchAdd}
      body={GatewayId && NameRule && SlaveNumber && Step !== null && !isMissing ? body : undefined}
      more={isTask ? { AsTask: 1 } : {}}
      done={({ Devices }) => message.success(isTask ? t('task.started') : t('device.addedCount', { count: Devices.length }))}
      close={close}
      itemName={(index) => names[index]}
    >
      {() => (
        <Form<Entered>
          form={form}
          layout="vertical"
          requiredMark={false}
          initialValues={start}
          className="form-grid"
          onValuesChange={(changed, all) => {
            const other = 'GatewayId' in changed || 'CommType' in changed ? { Channel: null } : {}
            form.setFieldsValue(other)
            setEntered({ ...all, ...other })
          }}
        >
          <Form.Item name="GatewayId" label={t('device.GatewayId')}>
            <RefInput to={gateway} />
          </Form.Item>
          <Form.Item name="NameRule" label={t('device.nameRule')} extra={preview || t('device.nameRule.help', { example: 'Pump {1..20}' })}>
            <Input maxLength={50} />
          </Form.Item>
          <Form.Item name="CommType" label={t('device.CommType')}>
            <Segmented options={([0, 1] as const).map((value) => ({ value, label: t(`device.CommType.${value}`) }))} />
          </Form.Item>
          <Form.Item name="Channel" label={t(`device.${channel}`)}>
            <RefInput to={protocol} where={{ GatewayId: GatewayId ?? undefined }} disabled={!GatewayId} />
          </Form.Item>
          {mayApply && (
            <Form.Item name="ModelId" label={t('device.ModelId')}>
              <RefInput to={proModel} />
            </Form.Item>
          )}
          <Form.Item name="SlaveNumber" label={t('device.firstUnit')}>
            <InputNumber min={1} max={255} precision={0} style={{ width: '100%' }} />
          </Form.Item>
          <Form.Item name="Step" label={t('device.step')}>
            <InputNumber min={0} max={254} precision={0} style={{ width: '100%' }} />
          </Form.Item>
          <EachSettings fields={asked} count={names.length} />
          {mayTask && (
            <Form.Item extra={isTask && t('device.addAsTask.help')}>
              <Checkbox checked={isTask} onChange={(e) => setTask(e.target.checked)}>
                {t('device.addAsTask')}
              </Checkbox>
            </Form.Item>
          )}
        </Form>
      )}
    </AppliedDialog>
  )
}
export default AddDevices
