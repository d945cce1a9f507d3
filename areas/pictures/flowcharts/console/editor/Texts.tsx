import { Form, Input } from 'antd'
import { language, languages as names } from '../../../../../console/words/words.ts'
import { type Language, languages } from '../../../../../contract/languages.ts'

export type WordsOf = string | Partial<Record<Language, string>>
type Props = { label: string; value: WordsOf | undefined; most: number; lines?: boolean; change: (value: WordsOf | undefined) => void }
/** One text in each language, the reader's first. A language without a text shows the English one. */
export const Texts = ({ label, value, most, lines = false, change }: Props) => {
  // One text for all stays one until a language gets its own.
  const common = typeof value === 'string' ? value : undefined
  const own = language()
  const put = (of: Language, text: string) => {
    const before = typeof value === 'object' ? value : common === undefined ? {} : Object.fromEntries(languages.map((l) => [l, common]))
    const { [of]: _, ...rest } = before as Partial<Record<Language, string>>
    const next = text ? { ...rest, [of]: text } : rest
    change(Object.keys(next).length ? next : undefined)
  }
  return [own, ...languages.filter((one) => one !== own)].map((one) => {
    const name = `${label} (${names[one]})`
    const text = common ?? (typeof value === 'object' ? (value[one] ?? '') : '')
    const shared = { 'aria-label': name, maxLength: most, lang: one, value: text }
    return (
      <Form.Item key={one} label={name}>
        {lines ? (
          <Input.TextArea autoSize {...shared} onChange={(event) => put(one, event.target.value)} />
        ) : (
          <Input {...shared} onChange={(event) => put(one, event.target.value)} />
        )}
      </Form.Item>
    )
  })
}
