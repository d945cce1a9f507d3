import { Failure } from '../../../../console/kernel/Empty.tsx'
import type { Fault } from '../../../../console/session/request.ts'
import { State } from '../../../../console/theme/State.tsx'
import { none, numberText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { mostFrames, type Tried } from '../contract.ts'

const Frames = ({ of }: { of: Tried }) => {
  const t = useWords()
  return (
    <ol className="frame-list">
      {of.Frames.map(({ Hex, Fault, Request, Readings }, i) => (
        <li key={`${i} ${Hex}`} className="frame-request">
          <code className="frame-wrap">{Hex}</code>
          {Fault ? (
            <State is="warning">{t(`selfParse.fault.${Fault}`)}</State>
          ) : (
            <span className="soft">{t('selfParse.answers', { number: Request ?? 0 })}</span>
          )}
          {Readings.length > 0 && (
            <dl className="frame-values">
              {Readings.map(({ Key, Value }) => (
                <div key={Key}>
                  <dt>{Key}</dt>
                  <dd className="figures">{Value === null ? none : numberText(Value, 0, language(), 6)}</dd>
                </div>
              ))}
            </dl>
          )}
        </li>
      ))}
    </ol>
  )
}

/** The sent requests, and the values of the answers. */
export const Results = ({ of, fault, hasFaults }: { of: Tried | undefined; fault: Fault | null; hasFaults: boolean }) => {
  const t = useWords()
  if (hasFaults) return <p className="soft">{t('selfParse.mend')}</p>
  if (!of) return fault ? <Failure fault={fault} /> : null
  return (
    <div className="stack" aria-live="polite">
      <section>
        <h3>{t('selfParse.sent')}</h3>
        <ol className="frame-list">
          {of.Sent.map(({ Request, Hex, Fault }) => (
            <li key={Request}>
              {t('selfParse.request', { number: Request })}:{' '}
              {Fault ? <State is="warning">{Fault}</State> : <code className="frame-wrap">{Hex}</code>}
            </li>
          ))}
        </ol>
      </section>
      <section>
        <h3>{t('selfParse.frames')}</h3>
        {of.Frames.length ? <Frames of={of} /> : <p className="soft">{t('selfParse.noFrames')}</p>}
        {of.Frames.length >= mostFrames && <p className="soft">{t('selfParse.listed', { count: mostFrames })}</p>}
        {of.Rest && (
          <>
            <State is="warning">{t('selfParse.rest')}</State> <code className="frame-wrap">{of.Rest}</code>
          </>
        )}
      </section>
    </div>
  )
}
