/** Memory that messages of one connection take while they wait for their commit. */
export type Account = { used: number; tenant: number | undefined; resume(): void }

/**
 * Shares memory between tenants, then between the connections of each, by dynamic thresholds: a tenant may hold as much as is still
 * free, a connection as much as its tenant may still take. So however many flood, there is always room for one more. A connection
 * that holds nothing may go on until twice the budget is used; then everybody waits.
 */
export const openMemoryBudget = (bytes: number) => {
  const byTenant = new Map<number | undefined, number>()
  const waiting = new Set<Account>()
  let used = 0
  let isWaking = false

  const add = (account: Account, more: number) => {
    used += more
    account.used += more
    const ofTenant = (byTenant.get(account.tenant) ?? 0) + more
    if (ofTenant) byTenant.set(account.tenant, ofTenant)
    else byTenant.delete(account.tenant)
  }
  const admits = ({ used: own, tenant }: Account) => {
    if (!own) return used < 2 * bytes
    return own < bytes - used - (byTenant.get(tenant) ?? 0)
  }
  const wake = () => {
    isWaking = false
    for (const account of [...waiting]) if (admits(account) && waiting.delete(account)) account.resume()
  }
  return {
    used: () => used,
    /** Whether the connection may read on. If not, it is resumed when it may, those that wait longest first. */
    admits: (account: Account) => {
      if (admits(account)) return waiting.delete(account) || true
      waiting.add(account)
      return false
    },
    hold: add,
    release: (account: Account, less: number) => {
      add(account, -less)
      if (!waiting.size || isWaking) return
      isWaking = true
      setImmediate(wake)
    },
    leave: (account: Account) => void waiting.delete(account),
  }
}
export type MemoryBudget = ReturnType<typeof openMemoryBudget>
