import { DeleteOutlined } from '@ant-design/icons'
import { Button, Input, Select } from 'antd'
import { useEffect, useRef } from 'react'
import { useWords } from '../../../../../console/words/words.ts'
import type { Drawing } from '../../../../../contract/picture/drawing.ts'
import { roles } from '../../../../../contract/picture/drawingLimits.ts'

type Props = { drawing: Drawing; change: (next: Drawing) => void; chosen: number | undefined; choose: (part: number) => void }
/** The parts of a symbol, from back to front: their names and roles. */
export const Parts = ({ drawing, change, chosen, choose }: Props) => {
  const t = useWords()
  const list = useRef<HTMLUListElement>(null)
  const { parts, width, height } = drawing
  useEffect(() => {
    if (chosen !== undefined) list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const put = (at: number, more: Partial<Drawing['parts'][number]>) =>
    change({ ...drawing, parts: parts.map((part, i) => (i === at ? { ...part, ...more } : part)) })
  const rename = (at: number, name: string) => {
    const { name: _, ...rest } = parts[at]!
    change({ ...drawing, parts: parts.map((part, i) => (i === at ? { ...rest, ...(name ? { name } : {}) } : part)) })
  }
  const options = roles.map((value) => ({ value, label: t(`own.role.${value}`) }))
  return (
    <section aria-label={t('own.parts')}>
      <h3>{t('own.parts')}</h3>
      <ul ref={list} className="own-list">
        {parts.map((part, i) => (
          <li key={`${i} ${part.d.slice(0, 40)}`} className={i === chosen ? 'own-row own-row-chosen' : 'own-row'} onFocus={() => choose(i)}>
            <svg className="own-swatch" viewBox={`-2 -2 ${width + 4} ${height + 4}`} aria-hidden>
              <path d={part.d} />
            </svg>
            <Input
              aria-label={t('own.partName', { n: i + 1 })}
              placeholder={t('own.part', { n: i + 1 })}
              maxLength={50}
              value={part.name ?? ''}
              onChange={(event) => rename(i, event.target.value)}
            />
            <Select
              aria-label={t('own.role', { n: i + 1 })}
              value={part.role}
              options={options}
              popupMatchSelectWidth={false}
              // A rotor rotates about the centre of the symbol.
              onChange={(role) => put(i, { role, ...(role === 'rotor' ? { about: [width / 2, height / 2] } : {}) })}
            />
            <Button
              type="text"
              icon={<DeleteOutlined />}
              aria-label={t('own.removePart', { n: i + 1 })}
              disabled={parts.length === 1}
              onClick={() => change({ ...drawing, parts: parts.filter((_, at) => at !== i) })}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
