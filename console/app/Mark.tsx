/** The product's mark and the installation's name at the head of the sidebar. */
export const Mark = ({ name, narrow = false }: { name: string; narrow?: boolean }) => (
  <div className="mark">
    <img src="/penstock.svg" alt="" width="24" height="24" />
    {!narrow && <span>{name}</span>}
  </div>
)
