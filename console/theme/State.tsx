import type { ReactNode } from 'react'

/** Visual condition of an object. Normal has neither colour nor shape. */
export type Condition = 'normal' | 'notice' | 'warning' | 'alarm' | 'offline'

/** The common scale of levels, 1 low to 3 high: for alarms, their rules, limits, live values and events. */
export const levels: Readonly<Record<number, Condition>> = { 1: 'notice', 2: 'warning', 3: 'alarm' }
export const levelCondition = (level: number): Condition => levels[level] ?? 'normal'

const shapes: Record<Exclude<Condition, 'normal'>, ReactNode> = {
  notice: <path d="M1.6 1.8h8.8L6 10z" fill="none" stroke="var(--warningFill)" strokeWidth="1.8" strokeLinejoin="round" />,
  warning: <path d="M6 1 11.5 11h-11z" fill="var(--warningFill)" />,
  alarm: <path d="M6 0 12 6 6 12 0 6z" fill="var(--alarmFill)" />,
  offline: <circle cx="6" cy="6" r="4.5" fill="none" stroke="var(--offline)" strokeWidth="2" />,
}

/** Only the shape; `label` is for screen readers. */
export const Shape = ({ is, label }: { is: Condition; label?: string }) =>
  is === 'normal' ? null : (
    <svg className="shape" viewBox="0 0 12 12" width="12" height="12" role={label ? 'img' : 'presentation'} aria-label={label}>
      {shapes[is]}
    </svg>
  )

/** A state: shape, colour and word. */
export const State = ({ is, children }: { is: Condition; children: ReactNode }) => (
  <span className={`state state-${is}`}>
    <Shape is={is} />
    {children}
  </span>
)

/** A level: the same shape and colour everywhere. */
export const Level = ({ is, children }: { is: number; children: ReactNode }) => <State is={levelCondition(is)}>{children}</State>
