/// Writes many rows with one statement, which is compiled once. Each value is bound directly, without an array of values
/// in between.
struct RowWriter {
  private let connection: Connection
  private let statement: Statement

  /// `statement` has parameters, and its values are bound in their order.
  init(_ statement: String, _ connection: Connection) throws(StoreError) {
    self.connection = connection
    self.statement = try connection.compiled(statement)
  }

  func write(_ bind: (inout Statement.Values) -> Void) throws(StoreError) {
    try connection.run(statement, bind)
  }
}
