import { BookOutlined, DeleteOutlined, StarFilled, StarOutlined } from '@ant-design/icons'
import { Button, Input, Popover } from 'antd'
import { useState } from 'react'
import { useWords } from '../../words/words.ts'
import type { View } from './arrange.ts'

type Props = { views: View[]; current: string; show: (query: string) => void; change: (views: View[]) => void }

/** The person's saved views: filters, order and page size under a name. The default view opens when the address has no list state. */
export const SavedViews = ({ views, current, show, change }: Props) => {
  const t = useWords()
  const [open, setOpen] = useState(false)
  const [name, setName] = useState('')
  const here = views.find((v) => v.Query === current)
  // The accessible name contains the visible label: WCAG 2.5.3.
  const label = here ? `${t('list.views')}: ${here.Name}` : t('list.views')
  const trimmed = name.trim()
  const save = () => {
    if (!trimmed) return
    const others = views.filter((v) => v.Name.toLowerCase() !== trimmed.toLowerCase())
    const held = views.find((v) => v.Name.toLowerCase() === trimmed.toLowerCase())
    change([...others, { Name: trimmed, Query: current, IsDefault: held?.IsDefault ?? 0 }])
    setName('')
  }
  const content = (
    <div className="views">
      {views.length === 0 && <p className="soft">{t('list.noViews')}</p>}
      <ul>
        {views.map((v) => (
          <li key={v.Name}>
            <Button
              type={v === here ? 'primary' : 'text'}
              size="small"
              className="views-name"
              onClick={() => {
                show(v.Query)
                setOpen(false)
              }}
            >
              {v.Name}
            </Button>
            <Button
              type="text"
              size="small"
              icon={v.IsDefault ? <StarFilled /> : <StarOutlined />}
              aria-pressed={v.IsDefault === 1}
              aria-label={t('list.viewDefault', { name: v.Name })}
              title={t('list.viewDefault', { name: v.Name })}
              onClick={() => change(views.map((w) => ({ ...w, IsDefault: w === v && !v.IsDefault ? 1 : 0 })))}
            />
            <Button
              type="text"
              size="small"
              icon={<DeleteOutlined />}
              aria-label={t('list.viewRemove', { name: v.Name })}
              onClick={() => change(views.filter((w) => w !== v))}
            />
          </li>
        ))}
      </ul>
      {views.length < 20 && (
        <form
          onSubmit={(e) => {
            e.preventDefault()
            save()
          }}
        >
          <Input
            size="small"
            maxLength={40}
            value={name}
            placeholder={t('list.viewName')}
            aria-label={t('list.viewName')}
            onChange={(e) => setName(e.target.value)}
          />
          <Button size="small" htmlType="submit" disabled={!trimmed}>
            {t('list.viewSave')}
          </Button>
        </form>
      )}
    </div>
  )
  return (
    <Popover trigger="click" placement="bottomRight" open={open} onOpenChange={setOpen} content={content} title={t('list.views')}>
      <Button icon={<BookOutlined />} aria-label={label} title={label}>
        {here?.Name}
      </Button>
    </Popover>
  )
}
