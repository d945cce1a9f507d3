import { CloseOutlined, PlusOutlined } from '@ant-design/icons'
import { AutoComplete, Button, Input } from 'antd'
import { useState } from 'react'
import { useWords } from '../../../../console/words/words.ts'
import { blanks } from '../../../../contract/message.ts'

type Pair = { at: number; keyword: string; text: string }
const pairsOf = (value: unknown): Pair[] =>
  Object.entries((value ?? {}) as Record<string, string>).map(([keyword, text], at) => ({ at, keyword, text }))

/** Maps the provider's keywords to our placeholders, or to a text with placeholders. */
export const MapInput = ({ value, onChange }: { value?: unknown; onChange?: (value: unknown) => void }) => {
  const t = useWords()
  const [pairs, setPairs] = useState(() => pairsOf(value))
  const tell = (next: Pair[]) => {
    setPairs(next)
    onChange?.(Object.fromEntries(next.filter((p) => p.keyword).map((p) => [p.keyword, p.text])))
  }
  const set = (at: number, part: Partial<Pair>) => tell(pairs.map((p) => (p.at === at ? { ...p, ...part } : p)))
  return (
    <div className="stack-tight">
      {pairs.map(({ at, keyword, text }) => (
        <div key={at} className="pair">
          <Input
            value={keyword}
            maxLength={40}
            placeholder="thing1"
            aria-label={t('template.keyword')}
            onChange={(e) => set(at, { keyword: e.target.value.trim() })}
          />
          <AutoComplete
            value={text}
            options={blanks.map((value) => ({ value, label: `${value}: ${t(`blank.${value}`)}` }))}
            placeholder="content"
            aria-label={t('template.filledBy')}
            onChange={(next) => set(at, { text: String(next ?? '') })}
          />
          <Button
            type="text"
            icon={<CloseOutlined />}
            aria-label={t('template.dropKeyword', { keyword })}
            onClick={() => tell(pairs.filter((p) => p.at !== at))}
          />
        </div>
      ))}
      <Button
        size="small"
        icon={<PlusOutlined />}
        onClick={() => setPairs([...pairs, { at: Math.max(-1, ...pairs.map((p) => p.at)) + 1, keyword: '', text: '' }])}
      >
        {t('template.addKeyword')}
      </Button>
    </div>
  )
}
