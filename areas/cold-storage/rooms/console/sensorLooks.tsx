import type { Shown } from '../../../../console/kernel/api.ts'
import { State } from '../../../../console/theme/State.tsx'
import { dayText, none, numberText } from '../../../../console/words/formats.ts'
import { language, type Words } from '../../../../console/words/words.ts'
import { calibrated, type coldSensorBind, type SensorType } from '../contract.ts'

type Sensor = Shown<typeof coldSensorBind>
const monthMs = 30 * 86_400_000

export const cells = {
  CalibOffset: ({ SensorType: type, CalibOffset, CalibDate }: Sensor) =>
    !calibrated.includes(type as SensorType) || CalibDate === null ? (
      <span className="faint">{none}</span>
    ) : (
      <span className="figures">{`${CalibOffset > 0 ? '+' : ''}${numberText(CalibOffset, 0, language(), 3)}`}</span>
    ),
  CalibDue: ({ SensorType: type, CalibDue, UnbindTime }: Sensor, t: Words) => {
    if (!calibrated.includes(type as SensorType) || UnbindTime !== null) return CalibDue ?? <span className="faint">{none}</span>
    if (CalibDue === null) return <State is="notice">{t('cold.uncalibrated')}</State>
    if (CalibDue < dayText(Date.now())) return <State is="warning">{CalibDue}</State>
    return CalibDue <= dayText(Date.now() + monthMs) ? <State is="notice">{CalibDue}</State> : CalibDue
  },
}
