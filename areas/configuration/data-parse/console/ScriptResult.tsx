import { State } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { Tested } from '../contract.ts'

/** Output of a script besides its readings: error, names without a point, events and log lines. */
export const ScriptResult = ({ of }: { of: Tested }) => {
  const t = useWords()
  const { Fault, Missing, Events, Lines } = of
  return (
    <>
      {Fault && (
        <div role="alert" className="stack">
          <State is="warning">{t(`script.${Fault.Reason}`)}</State>
          {Fault.Text && <code className="parse-wrap">{Fault.Text}</code>}
          {Fault.Line !== null && <span className="soft">{t('dataParse.place', { line: Fault.Line, column: Fault.Column ?? 1 })}</span>}
        </div>
      )}
      {Missing.length > 0 && (
        <section>
          <h3>{t('dataParse.missing')}</h3>
          <p className="parse-wrap">{Missing.map(({ Device, Key }) => (Device ? `${Device} / ${Key}` : Key)).join(', ')}</p>
        </section>
      )}
      {Events.length > 0 && (
        <section>
          <h3>{t('dataParse.events')}</h3>
          <p className="parse-wrap">{Events.map(({ Text }) => Text).join(' · ')}</p>
        </section>
      )}
      {Lines.length > 0 && (
        <section>
          <h3>{t('dataParse.log')}</h3>
          <pre className="parse-sample">{Lines.join('\n')}</pre>
        </section>
      )}
    </>
  )
}
