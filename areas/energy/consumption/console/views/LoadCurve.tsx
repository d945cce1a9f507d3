import { useWords } from '../../../../../console/words/words.ts'
import type { Cell } from '../../../../../contract/cell.ts'
import { ChartPanel } from '../../../../analysis/data-analysis/console/charts/ChartPanel.tsx'
import { energyText, powerUnit } from '../amounts.ts'
import { paintLoad } from '../paint.ts'
import { curveDivision, wholePartText } from '../parts.ts'
import type { Energy } from '../useEnergy.ts'
import { Answered } from './Answered.tsx'
import { useChart } from './useChart.ts'

/** Mean power of a circuit over the period, with the highest quarter-hour as a line. */
export const LoadCurve = ({ energy: { period, circuit } }: { energy: Energy }) => {
  const t = useWords()
  const by = curveDivision(period.days)
  const answer = useChart(circuit?.EnergyInfoId, period.days, by)
  const isDay = period.days.from === period.days.to
  return (
    <Answered of={answer}>
      {({ Series: { Parts, Unit, EnergyName, Peak, PeakAt }, Zone }) => {
        const unit = powerUnit(Unit)
        const values = Parts.map(({ Energy, Start, End }) => (Energy === null ? null : (Energy * 3_600_000) / (End - Start)))
        const titleOf = (i: number) => wholePartText(Parts[i]!.Start, 'quarter', Zone)
        const peakText =
          Peak !== null &&
          PeakAt !== null &&
          t('energy.load.peak', { power: energyText(Peak, unit), time: wholePartText(PeakAt, 'quarter', Zone) })
        return (
          <ChartPanel
            title={`${EnergyName} · ${t('energy.load.title', { unit })}`}
            height={300}
            paint={(look) =>
              paintLoad(
                {
                  ...{ values, unit, titleOf },
                  labels: Parts.map(({ Start }) => wholePartText(Start, 'quarter', Zone).slice(isDay ? 11 : 5, isDay ? 16 : 10)),
                  peak: peakText ? { value: Peak!, text: peakText } : undefined,
                },
                look,
              )
            }
            table={[
              [t('explore.time'), `${t('energy.load.mean')} (${unit})`],
              ...values.map((value, i): Cell[] => [titleOf(i), value ?? '']),
            ]}
            help={t(by === 'quarter' ? 'energy.load.help' : 'energy.load.helpHours')}
          />
        )
      }}
    </Answered>
  )
}
