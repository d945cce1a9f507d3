import { Form, Input, Select } from 'antd'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { timeText } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import { type GivenSensor, roomCalls } from '../calls.ts'
import { positions, type SensorType, sensorTypes } from '../contract.ts'
import type { RoomRow } from './roomRow.ts'

type Values = { ParaId: number; SensorType: SensorType; Position?: GivenSensor['Position']; ProductSN?: string; BindTime?: string }

/** Binds one more point of the room's gateway. */
export const BindForm = ({ room, close }: { room: RoomRow; close: () => void }) => {
  const t = useWords()
  const [form] = Form.useForm<Values>()
  const { data } = useCall(roomCalls.settings, { query: { SN: room.SN ?? '' }, of: ['point', 'coldSensorBind'], enabled: room.SN !== null })
  const bind = useCommand(roomCalls.bind, ['coldSensorBind', 'coldStorage', 'alarmRule'], { meta: { quiet: true } })
  const free = data?.Sensors.filter(({ IsBound }) => IsBound === 0) ?? []
  const submit = ({ ParaId, SensorType: type, Position, ProductSN, BindTime }: Values) =>
    bind.mutate(
      {
        body: {
          ...{ ColdStorageId: room.Id, ParaId, SensorType: type, Position: Position ?? null, ProductSN: ProductSN?.trim() || null },
          ...(BindTime?.trim() ? { BindTime: BindTime.trim() } : {}),
        },
      },
      { onSuccess: close },
    )
  const needed = [{ required: true, message: t('fault.field.required') }]
  /** The kind that the chosen point seems to be. */
  const choose = (id: number) => {
    const of = free.find(({ ParaId }) => ParaId === id)
    if (of?.SensorType)
      form.setFieldsValue({ SensorType: of.SensorType as SensorType, Position: (of.Position as Values['Position']) ?? null })
  }
  return (
    <FormDialog<Values> title={t('cold.bind')} okText={t('cold.bind')} form={form} sending={bind} submit={submit} close={close}>
      <Form.Item name="ParaId" label={t('coldSensorBind.ParaId')} rules={needed}>
        <Select
          showSearch={{ optionFilterProp: 'label' }}
          onChange={choose}
          options={free.map(({ ParaId, DeviceName, ParaName }) => ({ value: ParaId, label: `${DeviceName} · ${ParaName}` }))}
        />
      </Form.Item>
      <Form.Item name="SensorType" label={t('coldSensorBind.SensorType')} rules={needed}>
        <Select options={sensorTypes.map((value) => ({ value, label: t(`coldSensorBind.SensorType.${value}`) }))} />
      </Form.Item>
      <Form.Item name="Position" label={t('coldSensorBind.Position')}>
        <Select allowClear options={positions.map((value) => ({ value, label: t(`coldSensorBind.Position.${value}`) }))} />
      </Form.Item>
      <Form.Item name="ProductSN" label={t('coldSensorBind.ProductSN')}>
        <Input maxLength={40} />
      </Form.Item>
      <Form.Item name="BindTime" label={t('coldSensorBind.BindTime')} extra={t('cold.bindHelp')}>
        <Input placeholder={timeText(Date.now())} maxLength={19} />
      </Form.Item>
    </FormDialog>
  )
}
