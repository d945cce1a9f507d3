import type { Shown } from '../../../../console/kernel/api.ts'
import { State } from '../../../../console/theme/State.tsx'
import { none, numberText } from '../../../../console/words/formats.ts'
import { language, type Words } from '../../../../console/words/words.ts'
import type { coldExcursion } from '../contract.ts'

type Row = Shown<typeof coldExcursion>
const figure = (value: number | null, digits: number, unit = '') => (
  <span className="figures">{value === null ? none : `${numberText(value, digits, language())}${unit}`}</span>
)

export const cells = {
  Minutes: ({ Minutes }: Row) => figure(Minutes, 1, ' min'),
  PeakValue: ({ PeakValue, SensorType }: Row) => figure(PeakValue, 1, SensorType === 1 ? ' °C' : ' %'),
  DegreeMinutes: ({ DegreeMinutes }: Row) => figure(DegreeMinutes, 1),
  Mkt: ({ Mkt }: Row) => figure(Mkt, 2, Mkt === null ? '' : ' °C'),
  Ended: ({ Ended }: Row, t: Words) => (
    <State is={Ended === 0 ? 'alarm' : Ended === 2 ? 'warning' : 'normal'}>{t(`coldExcursion.Ended.${Ended}`)}</State>
  ),
  Disposition: ({ Disposition, IsChanged, IsVoid }: Row, t: Words) => (
    <>
      <State is={Disposition === 0 ? 'notice' : 'normal'}>{t(`coldExcursion.Disposition.${Disposition}`)}</State>
      {(IsChanged === 1 || IsVoid === 1) && (
        <>
          <br />
          <State is="warning">{t(IsVoid ? 'coldExcursion.IsVoid' : 'coldExcursion.IsChanged')}</State>
        </>
      )}
    </>
  ),
}
