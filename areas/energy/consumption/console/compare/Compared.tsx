import { useWords } from '../../../../../console/words/words.ts'
import type { Answer } from '../../../../../contract/call.ts'
import type { Cell } from '../../../../../contract/cell.ts'
import { ChartPanel } from '../../../../analysis/data-analysis/console/charts/ChartPanel.tsx'
import { paintBars } from '../../../../analysis/reports/bars.ts'
import type { energyCalls } from '../../contract.ts'
import { AmountRows } from '../AmountRows.tsx'
import { changeText, costText, energyText, powerUnit } from '../amounts.ts'
import { MadeLegend } from '../MadeOf.tsx'

type Items = Answer<typeof energyCalls.compare>['Items']
type Props = {
  title: string
  items: Items
  currency: string | null | undefined
  nameOf: (item: Items[number], i: number) => string
  /** Of part i, for all items. */
  labels: readonly string[]
  head: string
}

/** Two to six series side by side: part by part, and their sums against the first. */
export const Compared = ({ title, items, currency, nameOf, labels, head }: Props) => {
  const t = useWords()
  const [first] = items
  if (!first) return null
  const names = items.map(nameOf)
  const units = [...new Set(items.map(({ Unit }) => Unit))]
  return (
    <>
      {units.map((unit) => {
        const of = items.flatMap((item, i) => (item.Unit === unit ? [{ item, name: names[i]! }] : []))
        const values = of.map(({ item }) => labels.map((_, i) => item.Parts[i]?.Energy ?? null))
        return (
          <ChartPanel
            key={unit}
            title={units.length > 1 ? `${title} (${unit})` : title}
            height={280}
            paint={(look) => paintBars({ names: of.map(({ name }) => name), labels, values, unit }, look)}
            table={[
              [head, ...of.map(({ name }) => `${name} (${unit})`)],
              ...labels.map((label, i): Cell[] => [label, ...values.map((one) => one[i] ?? '')]),
            ]}
          />
        )
      })}
      <section className="panel chart-panel">
        <AmountRows
          label={title}
          rows={items.map((item, i) => ({
            ...{ key: `${i}`, name: names[i]!, value: item.Energy, unit: item.Unit, text: energyText(item.Energy, item.Unit) },
            note: [
              i > 0 && item.Unit === first.Unit && changeText(item.Energy, first.Energy),
              item.Cost != null && costText(item.Cost, currency),
              item.Peak !== null && t('energy.peak', { power: energyText(item.Peak, powerUnit(item.Unit)) }),
            ]
              .filter(Boolean)
              .join(' · '),
            asked: { name: names[i]!, figure: item, circuit: item.EnergyInfoId, from: item.DateFrom, to: item.DateTo },
          }))}
        />
        <MadeLegend />
      </section>
    </>
  )
}
