import type { ReactNode } from 'react'

export type Fact = { key: string; label: ReactNode; value: ReactNode }

/** Names and values: side by side, or one per line. */
export const Facts = ({ of, lines = false }: { of: readonly Fact[]; lines?: boolean }) => (
  <dl className={lines ? 'facts facts-one' : 'facts'}>
    {of.map(({ key, label, value }) => (
      <div key={key}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
