import type { ReactNode } from 'react'
import { useWords, type Words } from '../../../../console/words/words.ts'
import { blanks, fill, filledMap, smsParts, strangers, type Values, wechatLimit, wechatValue } from '../../../../contract/message.ts'
import { entryOf } from '../../../../contract/prototypes.ts'

type Entered = Record<string, unknown>

/** Sample values of the preview. */
export const sampleOf = (t: Words): Values => ({
  ...Object.fromEntries(['title', 'content', 'source', 'remark', 'DeviceName', 'ProjectName'].map((k) => [k, t(`sample.${k}`)])),
  Value: '81.5',
  Time: '2026-01-31 08:15',
  Level: '3',
  Url: `${location.origin}/alarmManagement/alarmInfo`,
})

const Framed = ({ notes, children }: { notes: string[]; children: ReactNode }) => {
  const t = useWords()
  return (
    <section className="preview" aria-label={t('template.preview')}>
      <h3>{t('template.preview')}</h3>
      {children}
      {notes.map((note) => (
        <p key={note} className="soft">
          {note}
        </p>
      ))}
    </section>
  )
}

/** Warns of unknown placeholders. */
const unknownIn = (text: string, t: Words) =>
  strangers(text).length ? [t('template.unknown', { names: strangers(text).join(', '), known: blanks.join(', ') })] : []

export const EmailPreview = ({ of }: { of: Entered }) => {
  const t = useWords()
  const [title, content] = [String(of.Title ?? ''), String(of.Content ?? '')]
  const sample = sampleOf(t)
  const text = fill(content, sample)
  return (
    <Framed notes={[...unknownIn(title + content, t), t('template.letters', { count: [...text].length })]}>
      <p>
        <strong>{fill(title, sample)}</strong>
      </p>
      <p className="preview-text">{text}</p>
    </Framed>
  )
}

export const SmsPreview = ({ of }: { of: Entered }) => {
  const t = useWords()
  const map = filledMap((of.FieldMap ?? {}) as Record<string, string>, sampleOf(t), 35)
  const text = `【${of.SignName ?? ''}】${String(of.Content ?? '').replace(/\$?\{(\w+)\}/g, (whole, name: string) => entryOf(map, name) ?? whole)}`
  const count = [...text].length
  return (
    <Framed notes={[t('template.sms', { count, parts: smsParts(text) })]}>
      <p className="preview-text">{text}</p>
    </Framed>
  )
}

export const WechatPreview = ({ of }: { of: Entered }) => {
  const t = useWords()
  const map = filledMap((of.FieldMap ?? {}) as Record<string, string>, sampleOf(t))
  return (
    <Framed notes={[t('template.wechat')]}>
      <dl className="facts facts-one">
        {Object.entries(map).map(([keyword, value]) => (
          <div key={keyword}>
            <dt>
              {keyword} {wechatLimit(keyword) && <span className="soft">≤ {wechatLimit(keyword)}</span>}
            </dt>
            <dd>{wechatValue(keyword, value)}</dd>
          </div>
        ))}
      </dl>
    </Framed>
  )
}
