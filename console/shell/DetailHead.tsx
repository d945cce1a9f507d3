import type { ReactNode } from 'react'
import { useTabName } from './tabs/TabName.tsx'

export type Props = {
  name: string
  state: ReactNode
  /** Links to the records above this one. */
  belongs?: ReactNode
  figures: { label: string; value: ReactNode }[]
  actions?: ReactNode
}

/** The header of every detail page: name, state, parents, key figures and actions. */
export const DetailHead = ({ name, state, belongs, figures, actions }: Props) => {
  useTabName(name)
  return (
    <header className="detail-head">
      <div className="detail-name">
        <h1>{name}</h1>
        <div className="detail-state">{state}</div>
        {belongs && <div className="detail-belongs">{belongs}</div>}
      </div>
      <dl className="detail-figures">
        {figures.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="figures">{value}</dd>
          </div>
        ))}
      </dl>
      {actions && <div className="page-actions">{actions}</div>}
    </header>
  )
}
