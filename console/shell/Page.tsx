import type { ReactNode } from 'react'

/** The frame of a screen: title, actions and content. */
export const Page = ({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) => (
  <article className="page">
    <div className="page-head">
      <h1>{title}</h1>
      {actions && <div className="page-actions">{actions}</div>}
    </div>
    {children}
  </article>
)
