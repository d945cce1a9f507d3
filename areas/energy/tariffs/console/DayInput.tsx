import { Input } from 'antd'
import type { InputProps } from './inputs.ts'

export const DayInput = ({ id, value, onChange }: InputProps) => (
  <Input
    type="date"
    {...(id ? { id } : {})}
    value={String(value ?? '')}
    onChange={({ target }) => onChange?.(target.value || null)}
    style={{ width: 170 }}
  />
)
