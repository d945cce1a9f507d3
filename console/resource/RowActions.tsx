import { MoreOutlined } from '@ant-design/icons'
import { Button, Dropdown, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { useWords } from '../words/words.ts'

export type Action = {
  key: string
  label: string
  icon?: ReactNode
  /** Where it leads, or what it does. */
  to?: string
  run?: () => void
  danger?: boolean
  disabled?: boolean
}

/** At most two icons and a menu for the rest; on cards everything is in the menu. */
export const RowActions = ({ actions, title, icons = 2 }: { actions: Action[]; title: string; icons?: number }) => {
  const t = useWords()
  const navigate = useNavigate()
  const act = ({ to, run }: Action) => (to ? navigate(to) : run?.())
  const out = actions.filter((a) => a.icon && !a.danger).slice(0, icons)
  const rest = actions.filter((a) => !out.includes(a))
  return (
    <span className="row-actions">
      {out.map((a) => (
        <Tooltip key={a.key} title={a.label}>
          <Button type="text" size="small" icon={a.icon} disabled={a.disabled} aria-label={`${a.label}: ${title}`} onClick={() => act(a)} />
        </Tooltip>
      ))}
      {rest.length > 0 && (
        <Dropdown
          trigger={['click']}
          menu={{
            items: rest.map(({ key, label, icon, danger, disabled }) => ({ key, label, icon, danger, disabled })),
            onClick: ({ key }) => act(rest.find((a) => a.key === key)!),
          }}
        >
          <Button type="text" size="small" icon={<MoreOutlined />} aria-label={t('list.more', { title })} />
        </Dropdown>
      )}
    </span>
  )
}
