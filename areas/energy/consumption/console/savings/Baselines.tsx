import { useCall } from '../../../../../console/kernel/api.ts'
import { Facts } from '../../../../../console/theme/Facts.tsx'
import { none, numberText, timeText } from '../../../../../console/words/formats.ts'
import { language, useWords, type Words } from '../../../../../console/words/words.ts'
import { type Baseline, type Fitted, savingsCalls } from '../../savings.ts'
import { amountText, energyText, percentText } from '../amounts.ts'
import type { CircuitInfo } from '../useEnergy.ts'

/** Rules of thumb for models of energy: beyond them, bands are wide. */
const [leastR2, mostCv] = [0.75, 25]

const variableName = (name: string, t: Words) => {
  const weekday = Number(name.split('.')[1])
  // 5 January 1970 was a Monday.
  return weekday
    ? new Intl.DateTimeFormat(language(), { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(1970, 0, 4 + weekday))
    : t(`energy.baseline.${name}`)
}

/** How well a baseline fits, and what its days depend on. */
export const FitFacts = ({ of, unit }: { of: Fitted; unit: string }) => {
  const t = useWords()
  const { R2, Cv, Days, DateFrom, DateTo, Constant, Variables } = of
  const isWeak = R2 < leastR2 || Cv === null || Cv > mostCv
  const rangeOf = ({ Name, Min, Max }: Fitted['Variables'][number]) =>
    Name.startsWith('weekday') ? '' : ` · ${t('energy.baseline.range', { min: amountText(Min), max: amountText(Max) })}`
  return (
    <>
      <Facts
        of={[
          { key: 'days', label: t('energy.baseline.days'), value: t('energy.baseline.span', { from: DateFrom, to: DateTo, count: Days }) },
          { key: 'r2', label: 'R²', value: <span className="figures">{numberText(R2, 3, language())}</span> },
          { key: 'cv', label: 'CV(RMSE)', value: <span className="figures">{Cv === null ? none : percentText(Cv, 1)}</span> },
          {
            ...{ key: 'constant', label: t('energy.baseline.constant') },
            value: <span className="figures">{energyText(Constant, unit)}</span>,
          },
          ...Variables.map((variable) => ({
            ...{ key: variable.Name, label: variableName(variable.Name, t) },
            value: <span className="figures">{`${numberText(variable.Coefficient, 3, language())} ${unit}${rangeOf(variable)}`}</span>,
          })),
        ]}
      />
      {isWeak && <p className="faint">{t('energy.baseline.weak')}</p>}
    </>
  )
}

/** The baselines of a circuit, the newest first: it is the one that counts. */
export const Baselines = ({ circuit: { EnergyInfoId, Unit } }: { circuit: CircuitInfo }) => {
  const t = useWords()
  const { data } = useCall(savingsCalls.list, { query: { EnergyInfoId }, of: ['energyBaseline'] })
  const [now, ...earlier] = data?.Items ?? []
  if (!now) return null
  const acceptedText = ({ Version, AcceptedBy, AcceptedTime }: Baseline) =>
    t('energy.baseline.accepted', { version: Version, time: timeText(AcceptedTime).slice(0, 16), name: AcceptedBy ?? none })
  return (
    <section className="panel" aria-label={t('energyBaseline')}>
      <h2>{t('energyBaseline')}</h2>
      <p className="soft">{acceptedText(now)}</p>
      <FitFacts of={now} unit={Unit} />
      {earlier.length > 0 && (
        <details>
          <summary>{t('energy.baseline.earlier', { count: earlier.length })}</summary>
          {earlier.map((one) => (
            <div key={one.Version}>
              <p className="soft">{acceptedText(one)}</p>
              <FitFacts of={one} unit={Unit} />
            </div>
          ))}
        </details>
      )}
    </section>
  )
}
