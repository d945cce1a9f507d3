import type { ReactNode } from 'react'
import { useTabName } from './tabs/TabName.tsx'

type Props = {
  name: string
  state: ReactNode
  /** Where the thing belongs: links to what is above it. */
  belongs?: ReactNode
  figures: { label: string; value: ReactNode }[]
  actions?: ReactNode
}

/** The one header of every detail page: name, state, where it belongs, the figures that matter, actions. */
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
