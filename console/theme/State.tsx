import type { ReactNode } from 'react'

/** What a thing's condition means to the eye. Normal has neither colour nor shape. */
export type Condition = 'normal' | 'notice' | 'warning' | 'alarm' | 'offline'

const shapes: Record<Exclude<Condition, 'normal'>, ReactNode> = {
  notice: <path d="M1.6 1.8h8.8L6 10z" fill="none" stroke="var(--warningFill)" strokeWidth="1.8" strokeLinejoin="round" />,
  warning: <path d="M6 1 11.5 11h-11z" fill="var(--warningFill)" />,
  alarm: <path d="M6 0 12 6 6 12 0 6z" fill="var(--alarmFill)" />,
  offline: <circle cx="6" cy="6" r="4.5" fill="none" stroke="var(--offline)" strokeWidth="2" />,
}

/** The shape alone; `label` is for those who do not see it. */
export const Shape = ({ is, label }: { is: Condition; label?: string }) =>
  is === 'normal' ? null : (
    <svg className="shape" viewBox="0 0 12 12" width="12" height="12" role={label ? 'img' : 'presentation'} aria-label={label}>
      {shapes[is]}
    </svg>
  )

/** A state: its own shape, colour and word. */
export const State = ({ is, children }: { is: Condition; children: ReactNode }) => (
  <span className={`state state-${is}`}>
    <Shape is={is} />
    {children}
  </span>
)
