import { useCall } from '../../../../console/kernel/api.ts'
import { costText, timeText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import type { Cell } from '../../../../contract/cell.ts'
import { ChartPanel } from '../../../analysis/data-analysis/console/charts/ChartPanel.tsx'
import { Answered } from '../../../energy/consumption/console/views/Answered.tsx'
import { dosingCalls, type Part } from '../contract.ts'
import { MadeText } from './MadeText.tsx'
import { heightOf, type Pane, paintPanes } from './paint.ts'
import { amountText } from './texts.ts'
import { freshMs, sources } from './useDosing.ts'

const lengths = { hour: [5, 16], day: [5, 10], month: [0, 7] } as const

/** What was used part by part, and the dose beside flow, raw turbidity and residual. */
export const DoseChart = ({ id, days }: { id: number; days: { from: string; to: string } }) => {
  const t = useWords()
  const answer = useCall(dosingCalls.chart, {
    query: { DrugInfoId: id, DateFrom: days.from, DateTo: days.to },
    of: sources,
    refetchInterval: freshMs,
  })
  return (
    <Answered of={answer}>
      {({ Parts, Total, Unit, Zone, Division, Currency, TargetDose, DoseLow, DoseHigh, ...units }) => {
        const labels = Parts.map(({ Start }) => timeText(Start, Zone).slice(...lengths[Division]))
        const values = (of: (part: Part) => number | null) => Parts.map(of)
        const panes: Pane[] = [
          { name: t('dosing.used'), unit: Unit, values: values(({ Qty }) => Qty), isBars: true },
          {
            ...{ name: t('dosing.dose'), unit: 'mg/L', values: values(({ Dose }) => Dose) },
            band: { low: DoseLow, high: DoseHigh, target: TargetDose },
          },
          { name: t('dosing.flow'), unit: units.FlowUnit ?? '', values: values(({ Flow }) => Flow) },
          { name: t('dosing.residual'), unit: units.ResidualUnit ?? '', values: values(({ Residual }) => Residual) },
          { name: t('dosing.turbidity'), unit: units.TurbidityUnit ?? '', values: values(({ Turbidity }) => Turbidity) },
        ].filter((pane, i) => i === 0 || pane.values.some((value) => value !== null))
        const withCost = Total.Cost !== undefined
        const cost = Total.Cost == null ? [] : [costText(Total.Cost, Currency, language())]
        const dose = Total.Dose === null ? [] : [amountText(Total.Dose, 'mg/L')]
        return (
          <ChartPanel
            title={[amountText(Total.Qty, Unit), ...dose, ...cost].join(' · ')}
            height={heightOf(panes.length)}
            paint={(look) => paintPanes(panes, labels, look)}
            table={[
              [
                t('explore.period'),
                ...panes.map(({ name, unit }) => `${name} (${unit})`),
                ...(withCost ? [`${t('dosing.cost')} (${Currency})`] : []),
              ],
              ...Parts.map((part, i): Cell[] => [
                labels[i]!,
                ...panes.map(({ values }) => values[i] ?? ''),
                ...(withCost ? [part.Cost ?? ''] : []),
              ]),
            ]}
            help={<MadeText of={Total} />}
          />
        )
      }}
    </Answered>
  )
}
