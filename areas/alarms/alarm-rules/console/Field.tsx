import { type ReactNode, useId } from 'react'

/** A control under its name. */
export const Field = ({ label, children }: { label: string; children: (id: string) => ReactNode }) => {
  const id = useId()
  return (
    <div className="rule-field">
      <label htmlFor={id} className="soft">
        {label}
      </label>
      {children(id)}
    </div>
  )
}

/** The error of the input beside it. */
export const Fault = ({ children }: { children: ReactNode }) => (
  <span className="rule-fault" role="alert">
    {children}
  </span>
)
