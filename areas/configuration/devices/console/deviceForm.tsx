import { Checkbox, Form } from 'antd'
import type { FormProps } from '../../../../console/kernel/ResourceForm.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { PositionMap } from '../../../pictures/maps/console/index.ts'
import { point } from '../../points/contract.ts'
import { DeviceSettings } from './DeviceSettings.tsx'

const PointsFollow = ({ from, to }: { from: number; to: number }) => {
  const t = useWords()
  const mayEdit = useMay(`${point.permission}.edit`)
  if (!mayEdit) return null
  return (
    <Form.Item
      name="PointsFollow"
      initialValue={1}
      getValueProps={(value) => ({ checked: value === 1 })}
      getValueFromEvent={(event: { target: { checked: boolean } }) => (event.target.checked ? 1 : 0)}
    >
      <Checkbox>{t('device.pointsFollow', { from, to })}</Checkbox>
    </Form.Item>
  )
}

/** Protocol settings of the device, and whether its points follow a changed unit ID. */
export const below: FormProps['below'] = (values, row) => (
  <>
    <PositionMap />
    <DeviceSettings values={values} row={row} />
    {typeof row?.SlaveNumber === 'number' && typeof values.SlaveNumber === 'number' && values.SlaveNumber !== row.SlaveNumber && (
      <PointsFollow from={row.SlaveNumber} to={values.SlaveNumber} />
    )}
  </>
)
