import { createContext, type ReactNode, useContext, useId } from 'react'

type FaultAt = (path: string) => string | undefined
/** The error at a path of the rule, such as `AlarmPush.PushUsers`. */
export const RuleFaults = createContext<FaultAt>(() => undefined)
export const useFaults = () => useContext(RuleFaults)
/** Marks an input that has an error. */
export const stateOf = (fault: string | undefined) => (fault ? { status: 'error' as const } : {})

type FieldProps = {
  label: string
  fault?: string | undefined
  children: (id: string, state: ReturnType<typeof stateOf>) => ReactNode
}
/** A control with its label above and its error below. */
export const Field = ({ label, fault, children }: FieldProps) => {
  const id = useId()
  return (
    <div className="rule-field">
      <label htmlFor={id} className="soft">
        {label}
      </label>
      {children(id, stateOf(fault))}
      {fault && <Fault>{fault}</Fault>}
    </div>
  )
}

/** The error of the input beside it. */
export const Fault = ({ children }: { children: ReactNode }) => (
  <span className="rule-fault" role="alert" data-fault>
    {children}
  </span>
)
